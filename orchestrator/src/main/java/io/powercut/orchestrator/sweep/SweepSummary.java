// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.report.history.FindingHistory;
import io.powercut.report.history.FindingText;
import io.powercut.report.history.HistoryText;
import io.powercut.report.history.RunRecord;
import io.powercut.report.history.TextTable;
import io.powercut.report.sweep.SweepResult;
import io.powercut.report.sweep.SweepTotals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A sweep's result as text: a line for each campaign, then what is new, gone or went wrong. */
public final class SweepSummary {
  private static final int FINDINGS_SHOWN = 10;

  private SweepSummary() {}

  /** The lines to print. */
  public static List<String> of(SweepOutcome outcome) {
    TextTable table =
        new TextTable(
            "campaign",
            "exit",
            "new",
            "gone",
            "bugs",
            "races",
            "performance",
            "warnings",
            "failure points",
            "time");
    outcome.results().forEach(result -> table.add(row(result)));
    List<String> lines = new ArrayList<>(table.lines());
    section("new", outcome, result -> result.changes().added(), lines);
    section("seen again", outcome, result -> result.changes().again(), lines);
    section("gone", outcome, result -> result.changes().gone(), lines);
    for (SweepResult result : outcome.results()) {
      if (result.run().isPresent() && !result.reason().isEmpty()) {
        lines.add("");
        lines.add(result.campaign() + " failed:");
        result.reason().lines().forEach(line -> lines.add("  " + line));
      }
    }
    lines.add("");
    lines.addAll(reached(outcome));
    lines.add("result   " + HistoryText.meaning(outcome.exit().code()));
    lines.add("time     " + HistoryText.seconds(outcome.seconds()));
    return lines;
  }

  /** How many campaigns were run, and why others were not. */
  private static List<String> reached(SweepOutcome outcome) {
    List<String> lines = new ArrayList<>();
    SweepTotals totals = outcome.totals();
    lines.add("reached  %d of %s".formatted(totals.reached(), totals.inWords()));
    Map<String, Long> reasons =
        outcome.results().stream()
            .filter(result -> result.run().isEmpty())
            .collect(
                Collectors.groupingBy(
                    SweepResult::reason, LinkedHashMap::new, Collectors.counting()));
    reasons.forEach((reason, count) -> lines.add("         %d not: %s".formatted(count, reason)));
    if (!reasons.isEmpty()) {
      lines.add("         --resume runs these; the next sweep with --time begins with them");
    }
    return lines;
  }

  private static List<String> row(SweepResult result) {
    if (result.run().isEmpty()) {
      return List.of(result.campaign(), "not run");
    }
    RunRecord run = result.run().get();
    if (!run.hasReport()) {
      return List.of(
          result.campaign(),
          Integer.toString(run.exitCode()),
          "-",
          "-",
          "-",
          "-",
          "-",
          "-",
          "-",
          HistoryText.seconds(run.seconds()));
    }
    return List.of(
        result.campaign(),
        Integer.toString(run.exitCode()),
        Integer.toString(result.changes().added().size() + result.changes().again().size()),
        Integer.toString(result.changes().gone().size()),
        Long.toString(result.findings().bugs()),
        Long.toString(result.findings().races()),
        Long.toString(result.findings().performance()),
        Long.toString(result.findings().warnings()),
        Long.toString(run.failurePoints()),
        HistoryText.seconds(run.seconds()));
  }

  private static void section(
      String title,
      SweepOutcome outcome,
      Function<SweepResult, List<FindingHistory>> choice,
      List<String> lines) {
    for (SweepResult result : outcome.results()) {
      List<FindingHistory> findings = choice.apply(result);
      if (!findings.isEmpty()) {
        lines.add("");
        lines.add(title + " in " + result.campaign() + " (" + findings.size() + ")");
        findings.stream().limit(FINDINGS_SHOWN).forEach(one -> lines.addAll(FindingText.of(one)));
        if (findings.size() > FINDINGS_SHOWN) {
          lines.add("  and " + (findings.size() - FINDINGS_SHOWN) + " more");
        }
      }
    }
  }
}
