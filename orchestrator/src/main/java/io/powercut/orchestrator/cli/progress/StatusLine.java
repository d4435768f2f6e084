// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress.Tally;
import io.powercut.report.format.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a phase has come, in one line. There is a bar only where it is known how much there is to
 * do, so that it never goes back.
 *
 * @param task what is counted, for example {@code images}
 * @param done how many of them
 * @param total how many there are; 0 when unknown
 * @param tally what the run has come to
 * @param time since the phase began
 */
record StatusLine(String task, long done, long total, Tally tally, Duration time) {
  private static final int WIDEST_BAR = 40;
  private static final int LEAST_BAR = 8;
  private static final String INDENT = "  ";

  /**
   * The line, without its end.
   *
   * @param width what it may take, in columns
   */
  String of(int width) {
    List<String> parts = parts();
    // What matters least is last.
    while (INDENT.length() + length(parts) > width && parts.size() > 1) {
      parts.remove(parts.size() - 1);
    }
    String text = String.join("  ", parts);
    int room = Math.min(WIDEST_BAR, width - INDENT.length() - text.length() - 4);
    String bar = total > 0 && room >= LEAST_BAR ? bar(room) + "  " : "";
    String line = INDENT + bar + text;
    return line.length() <= width ? line : line.substring(0, Math.max(0, width));
  }

  /** The line without a bar, for a log. */
  String inWords() {
    return INDENT + String.join(", ", parts());
  }

  /** The most important first. */
  private List<String> parts() {
    List<String> parts = new ArrayList<>();
    if (total > 0) {
      parts.add("%d of %d %s".formatted(Math.min(done, total), total, task));
    } else if (!task.isEmpty()) {
      parts.add(done == 1 && task.equals("images") ? "1 image" : done + " " + task);
    }
    if (tally.bugs() > 0) {
      parts.add(Text.counted(tally.bugs(), "bug"));
    }
    parts.add(elapsed());
    if (tally.states() > 0) {
      parts.add(Text.counted(tally.states(), "crash state"));
    }
    if (tally.failurePoints() > 0 && total == 0) {
      parts.add(Text.counted(tally.failurePoints(), "failure point"));
    }
    return parts;
  }

  private String elapsed() {
    return time.toHours() > 0
        ? "%d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart())
        : "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
  }

  private String bar(int room) {
    int full = (int) (room * Math.min(done, total) / total);
    return "[" + "#".repeat(full) + "-".repeat(room - full) + "]";
  }

  private static int length(List<String> parts) {
    return String.join("  ", parts).length();
  }
}
