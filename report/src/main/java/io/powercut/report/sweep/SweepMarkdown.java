// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sweep;

import io.powercut.report.history.FindingHistory;
import io.powercut.report.history.FindingText;
import io.powercut.report.history.HistoryText;
import io.powercut.report.history.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The summary of a sweep in Markdown, short enough for a comment on a pull request: totals, what is
 * new, failures, what is gone, a table of each kind of campaign.
 */
final class SweepMarkdown {
  private static final int FINDINGS_SHOWN = 20;
  private static final int CAMPAIGNS_SHOWN = 200;
  private static final int LONGEST = 300;

  private final List<String> lines = new ArrayList<>();

  private SweepMarkdown() {}

  static String of(LastSweep sweep) {
    SweepMarkdown text = new SweepMarkdown();
    text.lines.add("# Powercut: " + sweep.totals().inWords());
    text.lines.add("");
    text.lines.add("Sweep of " + FindingText.time(sweep.started()));
    text.findings("New", sweep, SweepResult::news);
    text.failures(sweep.of(SweepResult.Kind.FAILED));
    text.findings("Gone", sweep, result -> result.changes().gone());
    for (SweepResult.Kind kind :
        List.of(SweepResult.Kind.WITH_BUGS, SweepResult.Kind.INCOMPLETE, SweepResult.Kind.CLEAN)) {
      text.table(kind, sweep.of(kind));
    }
    text.notRun(sweep.of(SweepResult.Kind.NOT_RUN));
    return String.join("\n", text.lines) + "\n";
  }

  private void findings(
      String title, LastSweep sweep, Function<SweepResult, List<FindingHistory>> choice) {
    long count = sweep.results().stream().mapToLong(result -> choice.apply(result).size()).sum();
    if (count == 0) {
      return;
    }
    heading(title, count);
    List<String> shown = new ArrayList<>();
    for (SweepResult result : sweep.results()) {
      choice.apply(result).forEach(finding -> shown.add(item(result.campaign(), finding)));
    }
    shown.stream().limit(FINDINGS_SHOWN).forEach(lines::add);
    more(count - FINDINGS_SHOWN);
  }

  private static String item(String campaign, FindingHistory history) {
    String place = history.finding().place();
    return "- **%s %s** in %s: %s%s, fingerprint %s"
        .formatted(
            history.finding().severity(),
            history.finding().kindInWords(),
            code(campaign),
            code(history.finding().title()),
            place.isEmpty() ? "" : " at " + code(place),
            code(history.finding().fingerprint()));
  }

  private void failures(List<SweepResult> failures) {
    if (!failures.isEmpty()) {
      heading("Failed", failures.size());
      failures.stream()
          .limit(FINDINGS_SHOWN)
          .map(
              one ->
                  "- %s: %s"
                      .formatted(
                          code(one.campaign()), code(one.reason().lines().findFirst().orElse(""))))
          .forEach(lines::add);
      more(failures.size() - FINDINGS_SHOWN);
    }
  }

  private void table(SweepResult.Kind kind, List<SweepResult> results) {
    if (results.isEmpty()) {
      return;
    }
    boolean isFolded = kind == SweepResult.Kind.CLEAN;
    String title = results.size() + " " + kind.words();
    lines.add("");
    lines.add(isFolded ? "<details><summary>" + title + "</summary>" : "## " + title);
    lines.add("");
    lines.add("| campaign | bugs | races | new | gone | failure points | time | build |");
    lines.add("| --- | --: | --: | --: | --: | --: | --: | --- |");
    results.stream()
        .limit(CAMPAIGNS_SHOWN)
        .forEach(one -> one.run().ifPresent(run -> lines.add(row(one, run))));
    more(results.size() - CAMPAIGNS_SHOWN);
    if (isFolded) {
      lines.add("");
      lines.add("</details>");
    }
  }

  private static String row(SweepResult result, RunRecord run) {
    return "| %s | %d | %d | %d | %d | %d | %s | %s |"
        .formatted(
            // A bar ends a cell, also in code.
            code(result.campaign()).replace("|", "\\|"),
            result.findings().bugs(),
            result.findings().races(),
            result.news().size(),
            result.changes().gone().size(),
            run.failurePoints(),
            HistoryText.seconds(run.seconds()),
            HistoryText.build(run));
  }

  private void notRun(List<SweepResult> results) {
    if (!results.isEmpty()) {
      heading("Not run", results.size());
      lines.add(
          results.stream()
              .limit(CAMPAIGNS_SHOWN)
              .map(one -> code(one.campaign()))
              .collect(Collectors.joining(", ")));
      more(results.size() - CAMPAIGNS_SHOWN);
    }
  }

  private void heading(String title, long count) {
    lines.add("");
    lines.add("## " + title + " (" + count + ")");
    lines.add("");
  }

  private void more(long count) {
    if (count > 0) {
      lines.add("");
      lines.add("and " + count + " more");
    }
  }

  /** As it is: no name in it is a link, and nothing of it is markup. */
  private static String code(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    if (line.isEmpty()) {
      return "";
    }
    String shown = line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    String fence = "`";
    while (shown.contains(fence)) {
      fence += "`";
    }
    return shown.startsWith("`") || shown.endsWith("`")
        ? fence + " " + shown + " " + fence
        : fence + shown + fence;
  }
}
