// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.Verdict;
import io.powercut.process.CommandResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Compares what an image holds after recovery with what is allowed: an operation has happened or it
 * has not, and what was acknowledged has. The states are compared by what they mean, as in Vinter
 * (Kalbfleisch et al., USENIX ATC 2022), not by their bytes.
 */
public final class DumpComparison implements OutputCheck {
  private static final String RECOVERED = "after recovery";

  private final ExpectedDumps expected;
  private Dump recovered = Dump.missing(RECOVERED, "the dump was not run");
  private String difference = "";

  /**
   * @param expected what is allowed
   */
  public DumpComparison(ExpectedDumps expected) {
    this.expected = expected;
  }

  @Override
  public Verdict judge(CommandResult result) {
    recovered = Dump.of(RECOVERED, result);
    return judge(recovered);
  }

  /**
   * What is to be said of contents. Where one of those that are allowed is missing, what is not
   * equal to the other may be right or wrong.
   */
  Verdict judge(Dump found) {
    if (found.text().isEmpty()) {
      return new Verdict.Inconclusive("the dump cannot be used: " + found.problem());
    }
    if (found.isLike(expected.before()) || found.isLike(expected.after())) {
      return new Verdict.Consistent();
    }
    for (Dump allowed : new Dump[] {expected.before(), expected.after()}) {
      if (allowed.text().isEmpty()) {
        return new Verdict.Inconclusive(
            "there is no dump of the contents %s to compare with: %s"
                .formatted(allowed.of(), allowed.problem()));
      }
    }
    return wrong(found);
  }

  private Verdict wrong(Dump found) {
    record Distance(Dump from, UnifiedDiff diff) {}
    Distance nearest =
        Stream.of(expected.before(), expected.after())
            .map(dump -> new Distance(dump, UnifiedDiff.between(text(dump), text(found))))
            .min(Comparator.comparing(one -> one.diff().missing() + one.diff().added()))
            .orElseThrow();
    difference = nearest.diff().text(nearest.from().of(), found.of());
    return new Verdict.WrongContents(
        Verdict.WrongContents.BEGINNING
            + "%s nor those %s; to the nearer ones, those %s, lines missing: %d, lines too many: %d"
                .formatted(
                    expected.before().of(),
                    expected.after().of(),
                    nearest.from().of(),
                    nearest.diff().missing(),
                    nearest.diff().added()),
        difference);
  }

  private static String text(Dump dump) {
    return dump.text().orElseThrow();
  }

  /**
   * Keeps what was compared last, and the difference.
   *
   * @param directory made if it is missing
   * @throws IOException if that cannot be done
   */
  public void keep(Path directory) throws IOException {
    Files.createDirectories(directory);
    expected.writeTo(directory);
    recovered.writeTo(directory.resolve("recovered"));
    Files.writeString(directory.resolve("difference"), difference, StandardCharsets.UTF_8);
  }
}
