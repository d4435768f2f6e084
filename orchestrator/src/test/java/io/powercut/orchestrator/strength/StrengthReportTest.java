// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.html.StrengthPage;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page on a measured oracle. */
class StrengthReportTest {
  private static final FailurePointId ID = new FailurePointId(1);

  @TempDir private Path directory;

  private Mutant mutant(int line, Outcome outcome) {
    List<StackFrame> stack =
        List.of(new StackFrame("put", directory.resolve("app.c").toString(), line, "app", "0x7"));
    Optional<Mutant.Catch> killed =
        outcome == Outcome.KILLED
            ? Optional.of(
                new Mutant.Catch(
                    ID, "clwb", stack, 1, Verdict.Kind.UNRECOVERABLE, "recovery failed", ""))
            : Optional.empty();
    return new Mutant(ID, "clwb", "<put>", stack, 3, 2, outcome, 2, 5, 0, 0, killed);
  }

  private String page(Mutant... mutants) throws IOException {
    List<Mutant> all = List.of(mutants);
    Path file = directory.resolve("strength.html");
    StrengthReport.of(
            new StrengthResult(
                "app",
                4,
                100,
                FunctionScore.of("all", all),
                FunctionScore.byFunction(all),
                all,
                List.of(),
                1,
                2,
                17,
                1.5))
        .write(file, Instant.MAX);
    return Files.readString(file);
  }

  @Test
  void pageShouldShowScoresSourcesAndWhatWasNotKilledWorstFirst() throws IOException {
    Files.write(directory.resolve("app.c"), List.of("first();", "second();", "third();"));
    String page =
        page(
            mutant(1, Outcome.EQUIVALENT),
            mutant(2, Outcome.KILLED),
            mutant(2, Outcome.SURVIVED),
            mutant(3, Outcome.KILLED));

    assertThat(page)
        .contains(
            "<h1>app: 66 % of the mutants are killed</h1>",
            "<li>no mutants: 0 that never had anything to do",
            "4 mutants, 2 not killed",
            "title=\"2 mutants: 1 killed, 1 survived, 0 others\"",
            "<code>&lt;put&gt;</code>")
        .containsSubsequence(
            "class=\"line warning\"", "first();", "class=\"line bug\"", "second();")
        .containsSubsequence("third();", ">survived</span>", "5 states", ">equivalent</span>")
        .doesNotContain("<put>", "recovery failed");
  }

  /** Constants of one name mean the same. */
  @Test
  void everyOutcomeShouldHaveItsPlaceOnThePage() throws IOException {
    for (Outcome outcome : Outcome.values()) {
      assertThat(page(mutant(1, outcome))).contains("mutants are killed");
    }
    assertThat(Stream.of(Outcome.values()).map(Enum::name))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(StrengthPage.Outcome.values()).map(Enum::name).toList());
  }

  @Test
  void pageWithoutSourcesShouldLeaveThemOut() throws IOException {
    assertThat(page(mutant(1, Outcome.KILLED)))
        .contains("100 %", "None.")
        .doesNotContain("id=\"sources\"");
  }
}
