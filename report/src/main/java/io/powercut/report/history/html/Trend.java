// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history.html;

import io.powercut.report.history.FindingText;
import io.powercut.report.history.HistoryRun;
import io.powercut.report.history.HistoryText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A chart of bars, one a run, the oldest first.
 *
 * @param title what is counted
 * @param style the name of its colour
 * @param bars the runs
 * @param latest the value of the last run with a report, in words
 * @param greatest the value of the tallest bar, in words
 */
record Trend(String title, String style, List<Bar> bars, String latest, String greatest) {
  /** Height of the tallest bar, in the chart's units. */
  static final int HEIGHT = 40;

  /** From one bar's left side to the next one's. */
  static final int STEP = 6;

  private static final double LEAST = 1;
  private static final double LEAST_RESULT = 8;

  Trend {
    bars = List.copyOf(bars);
  }

  /**
   * One run.
   *
   * @param x of its left side
   * @param y of its upper side
   * @param height 0 to {@link #HEIGHT}
   * @param style {@code whole}, {@code part} for a run that is incomplete, {@code failed} for one
   *     without a report
   * @param title when, and how many
   */
  record Bar(int x, String y, String height, String style, String title) {}

  /**
   * The trend of one number.
   *
   * @param runs the oldest first
   * @param value of a run with a report, at least 0
   * @param words how the value is written
   */
  static Trend of(
      String title,
      String style,
      List<HistoryRun> runs,
      ToDoubleFunction<HistoryRun> value,
      Function<Double, String> words) {
    double greatest =
        runs.stream()
            .filter(run -> run.facts().hasReport())
            .mapToDouble(value)
            .reduce(0, Math::max);
    List<Bar> bars = new ArrayList<>();
    String latest = "";
    for (HistoryRun run : runs) {
      boolean reported = run.facts().hasReport();
      double own = reported ? value.applyAsDouble(run) : 0;
      latest = reported ? words.apply(own) : latest;
      bars.add(
          bar(
              bars.size() * STEP,
              !reported ? HEIGHT : own == 0 ? 0 : Math.max(LEAST, HEIGHT * own / greatest),
              !reported ? "failed" : run.facts().complete() ? "whole" : "part",
              FindingText.time(run.started())
                  + ": "
                  + (reported ? words.apply(own) : "failed")
                  + (run.facts().isCutShort() ? ", incomplete" : "")));
    }
    return new Trend(title, style, bars, latest, words.apply(greatest));
  }

  /** What runs came to: a bar is as tall as the run was long. */
  static Trend ofResults(List<HistoryRun> runs) {
    double longest = runs.stream().mapToDouble(run -> run.facts().seconds()).reduce(0, Math::max);
    List<Bar> bars = new ArrayList<>();
    for (HistoryRun run : runs) {
      String style =
          !run.facts().hasReport()
              ? "failed"
              : run.findings().bugs() > 0 ? "bad" : run.facts().complete() ? "good" : "open";
      bars.add(
          bar(
              bars.size() * STEP,
              longest == 0
                  ? HEIGHT
                  : Math.max(LEAST_RESULT, HEIGHT * run.facts().seconds() / longest),
              style,
              "%s: %s, %s"
                  .formatted(
                      FindingText.time(run.started()),
                      HistoryText.meaning(run.facts().exitCode()),
                      HistoryText.seconds(run.facts().seconds()))));
    }
    return new Trend("results", "plain", bars, "", HistoryText.seconds(longest));
  }

  private static Bar bar(int x, double height, String style, String title) {
    return new Bar(x, Double.toString(HEIGHT - height), Double.toString(height), style, title);
  }

  /** Width of the chart. */
  int width() {
    return Math.max(STEP, bars.size() * STEP);
  }
}
