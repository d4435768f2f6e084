// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.LibraryLine;
import io.powercut.report.format.Text;
import io.powercut.report.knowledge.Explanation;
import io.powercut.report.knowledge.LibraryCall;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the trace shows in one library, folded into a line: a row for each pattern and call.
 *
 * @param title how much it is
 * @param rows by pattern, the most frequent first
 */
record Folded(String title, List<Folded.Row> rows) {
  private static final int TEXT_LENGTH = 300;

  Folded {
    rows = List.copyOf(rows);
  }

  /**
   * A pattern at one call of the user's into the library.
   *
   * @param fingerprint of the finding
   * @param kind in words
   * @param caller the user's code
   * @param called what it called
   * @param times how often
   * @param share of all flushes or fences; empty if it is of neither
   * @param why it is intended; what was seen if that is not known
   */
  record Row(
      String fingerprint,
      String kind,
      String caller,
      String called,
      String times,
      String share,
      String why) {}

  /** Groups by library, in the order of their names. */
  static List<Folded> of(List<Finding> findings) {
    Map<String, List<Finding>> byLibrary = new TreeMap<>();
    for (Finding finding : findings) {
      finding
          .library()
          .ifPresent(
              library ->
                  byLibrary.computeIfAbsent(library, unknown -> new ArrayList<>()).add(finding));
    }
    List<Folded> folded = new ArrayList<>();
    byLibrary.forEach(
        (library, those) ->
            folded.add(
                new Folded(
                    LibraryLine.of(library, those),
                    those.stream()
                        .sorted(
                            Comparator.comparing(Finding::severity)
                                .thenComparing(Finding::kind)
                                .thenComparing(Comparator.comparing(Finding::count).reversed()))
                        .map(Folded::row)
                        .toList())));
    return folded;
  }

  private static Row row(Finding finding) {
    return new Row(
        finding.fingerprint(),
        finding.kindInWords(),
        shortened(UserCode.of(finding.stack()).map(StackFrame::text).orElse("")),
        shortened(LibraryCall.of(finding.stack()).map(LibraryCall::function).orElse("")),
        Page.number(finding.count()),
        finding.share().map(share -> String.format(Locale.ROOT, "%.1f %%", 100 * share)).orElse(""),
        shortened(finding.explained().map(Explanation::reason).orElse(finding.title())));
  }

  private static String shortened(String text) {
    return Text.beginning(Text.printed(text), TEXT_LENGTH);
  }
}
