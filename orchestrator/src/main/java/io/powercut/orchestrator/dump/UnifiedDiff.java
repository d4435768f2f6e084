// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dump;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;

/**
 * The difference of two texts by lines, as {@code diff -u} shows it. It is JGit's histogram diff:
 * its time grows with the size of the texts also where they have little in common.
 */
final class UnifiedDiff {
  private static final int MOST_LINES = 60;
  private static final int LONGEST_LINE = 300;

  private final RawText expected;
  private final RawText found;
  private final EditList edits;

  private UnifiedDiff(RawText expected, RawText found) {
    this.expected = expected;
    this.found = found;
    this.edits = new HistogramDiff().diff(RawTextComparator.DEFAULT, expected, found);
  }

  /** What is missing in and what was added to a text; texts hold a byte in each character. */
  static UnifiedDiff between(String expected, String found) {
    return new UnifiedDiff(lines(expected), lines(found));
  }

  /** A line end that is missing at the end of a text makes no difference. */
  private static RawText lines(String text) {
    String whole = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    return new RawText(whole.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** How many lines of the expected text the other lacks. */
  int missing() {
    return edits.stream().mapToInt(Edit::getLengthA).sum();
  }

  /** How many lines it has that are not expected. */
  int added() {
    return edits.stream().mapToInt(Edit::getLengthB).sum();
  }

  /**
   * The difference for a person, bounded in lines and in their length.
   *
   * @param expectedName what the expected text is called
   * @param foundName what the other is called
   */
  String text(String expectedName, String foundName) {
    List<String> all = hunks().lines().toList();
    String shown =
        all.stream().limit(MOST_LINES).map(UnifiedDiff::shown).collect(Collectors.joining("\n"));
    String rest = all.size() > MOST_LINES ? "and %d more\n".formatted(all.size() - MOST_LINES) : "";
    return "--- %s\n+++ %s\n%s\n%s".formatted(expectedName, foundName, shown, rest);
  }

  private String hunks() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DiffFormatter formatter = new DiffFormatter(out)) {
      formatter.format(edits, expected, found);
      formatter.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String shown(String line) {
    return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE + 1) + "..." : line;
  }
}
