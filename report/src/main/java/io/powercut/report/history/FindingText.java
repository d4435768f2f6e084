// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Findings and times as people read them. */
public final class FindingText {
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

  private FindingText() {}

  /** A time of this time zone, to the minute. */
  public static String time(Instant time) {
    return MINUTES.format(time);
  }

  /** What it is and where, in some lines. */
  public static List<String> of(FindingHistory history) {
    KnownFinding finding = history.finding();
    List<String> lines = new ArrayList<>();
    lines.add(
        "  %s%s %s  %s"
            .formatted(
                history.accepted() ? "accepted " : "",
                finding.severity(),
                finding.kindInWords(),
                finding.title()));
    if (!finding.place().isEmpty()) {
      lines.add("    at " + finding.place());
    }
    lines.add("    fingerprint " + finding.fingerprint() + ", " + times(history));
    return lines;
  }

  /** Since when it is there, in how many runs, and since when it is gone. */
  public static String times(FindingHistory history) {
    String runs = history.runs() == 1 ? "1 run" : history.runs() + " runs";
    String since = "since " + time(history.first().started()) + " in " + runs;
    String back = history.cameBack().map(run -> ", reappeared " + time(run.started())).orElse("");
    return since
        + back
        + history.goneSince().map(run -> ", gone since " + time(run.started())).orElse("");
  }
}
