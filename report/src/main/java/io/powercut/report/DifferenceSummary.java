// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportDifference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A {@link ReportDifference} as text for a person: a line for each finding, what is new first. */
public final class DifferenceSummary {
  private DifferenceSummary() {}

  /** The lines to print. */
  public static List<String> of(ReportDifference difference) {
    List<String> lines = new ArrayList<>();
    lines.add("earlier  " + side(difference.earlier()));
    lines.add("later    " + side(difference.later()));
    lines.add(
        "findings %d new, %d gone, %d same"
            .formatted(
                difference.fresh().size(), difference.gone().size(), difference.same().size()));
    difference.fresh().forEach(finding -> lines.add("  new   " + line(finding)));
    difference.gone().forEach(finding -> lines.add("  gone  " + line(finding)));
    difference.same().forEach(finding -> lines.add("  same  " + line(finding)));
    addDoubts(difference, lines);
    return lines;
  }

  private static String side(ReportDifference.Side side) {
    return side.campaign() + ", " + side.started() + ", " + side.run();
  }

  private static String line(Finding finding) {
    return "%s %s%s %s at %s"
        .formatted(
            finding.fingerprint(),
            finding.accepted().isPresent() ? "accepted " : "",
            finding.severity().name().toLowerCase(Locale.ROOT),
            finding.kindInWords(),
            finding.place().isEmpty() ? "an unknown place" : finding.place());
  }

  private static void addDoubts(ReportDifference difference, List<String> lines) {
    if (!difference.earlier().campaign().equals(difference.later().campaign())) {
      lines.add("note     these are runs of two campaigns");
    }
    if (!difference.earlier().complete() && !difference.fresh().isEmpty()) {
      lines.add("note     the earlier run is incomplete: new findings may have been there before");
    }
    if (!difference.later().complete() && !difference.gone().isEmpty()) {
      lines.add("note     the later run is incomplete: gone findings may still be there");
    }
  }
}
