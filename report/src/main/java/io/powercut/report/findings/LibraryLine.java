// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.knowledge.Explanation;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Several findings in the trace in one line: those of a library, or the user's own. */
public final class LibraryLine {
  private LibraryLine() {}

  /**
   * The line, such as {@code libpmemobj: 13 performance bugs (19 % of all flushes) and 38 warnings,
   * intended (pmdk)}.
   *
   * @param library its name; empty for the user's own code
   * @param findings not empty
   */
  public static String of(String library, List<Finding> findings) {
    List<String> parts = new ArrayList<>();
    add(parts, findings, Severity.PERFORMANCE, "performance bug");
    add(parts, findings, Severity.WARNING, "warning");
    return (library.isEmpty() ? "own code" : library)
        + ": "
        + String.join(" and ", parts)
        + intended(findings);
  }

  private static void add(
      List<String> parts, List<Finding> findings, Severity severity, String what) {
    List<Finding> those = findings.stream().filter(one -> one.severity() == severity).toList();
    if (!those.isEmpty()) {
      parts.add(those.size() + " " + what + (those.size() == 1 ? "" : "s") + cost(those));
    }
  }

  private static String cost(List<Finding> findings) {
    List<String> costs = new ArrayList<>();
    cost("REDUNDANT_FLUSH", "flushes", findings).ifPresent(costs::add);
    cost("REDUNDANT_FENCE", "fences", findings).ifPresent(costs::add);
    return costs.isEmpty() ? "" : " (" + String.join(", ", costs) + ")";
  }

  private static Optional<String> cost(String kind, String what, List<Finding> findings) {
    return findings.stream()
        .filter(one -> one.kind().equals(kind))
        .flatMap(one -> one.share().stream())
        .reduce(Double::sum)
        .map(share -> String.format(Locale.ROOT, "%.0f %% of all %s", 100 * share, what));
  }

  private static String intended(List<Finding> findings) {
    List<String> known =
        findings.stream()
            .flatMap(one -> one.explained().stream())
            .map(Explanation::knowledge)
            .toList();
    if (known.isEmpty()) {
      return "";
    }
    return ", %s intended (knowledge: %s)"
        .formatted(
            known.size() == findings.size() ? "all" : known.size() + " of them",
            new TreeSet<>(known).stream().collect(Collectors.joining(", ")));
  }
}
