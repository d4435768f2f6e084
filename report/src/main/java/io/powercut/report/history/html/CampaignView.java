// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history.html;

import io.powercut.exit.ExitCode;
import io.powercut.report.format.Text;
import io.powercut.report.history.FindingHistory;
import io.powercut.report.history.FindingText;
import io.powercut.report.history.HistoryRun;
import io.powercut.report.history.HistoryText;
import io.powercut.report.history.RunChanges;
import io.powercut.report.history.RunRecord;
import io.powercut.report.history.Timeline;
import io.powercut.report.sweep.SweepResult;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One campaign on the page.
 *
 * @param name the campaign's name
 * @param last its last run
 * @param shown the last run with a report; the last one when there is none
 * @param changes what the last run with a report brought
 * @param findings all of them, what is there in front
 * @param moreFindings how many are not shown
 * @param runs the newest first
 * @param moreRuns how many are not shown
 * @param trends charts over the runs
 * @param kind what came of it in the last sweep
 * @param results the results of the last runs, as a small chart
 */
record CampaignView(
    String name,
    RunView last,
    HistoryRun shown,
    RunChanges changes,
    List<FindingView> findings,
    int moreFindings,
    List<RunView> runs,
    int moreRuns,
    List<Trend> trends,
    SweepResult.Kind kind,
    Trend results) {
  private static final int RUNS_OF_RESULTS = 30;
  private static final int RUNS_OF_TREND = 60;
  private static final int RUNS_SHOWN = 60;
  private static final int FINDINGS_SHOWN = 200;

  /**
   * A finding.
   *
   * @param history when it came and went
   * @param state what has become of it
   */
  record FindingView(FindingHistory history, FindingHistory.State state) {
    /** As the run that it came or went with left it. */
    static FindingView of(FindingHistory history) {
      int position = history.goneSince().orElse(history.last()).position();
      return new FindingView(history, history.state(position, position));
    }

    /** The name of its look: what is there has the colour of its severity. */
    String style() {
      return state == FindingHistory.State.GONE || history.accepted()
          ? "past"
          : history.finding().severity().name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A run.
   *
   * @param run the run
   * @param link to its report; nothing when there is none any more
   */
  record RunView(HistoryRun run, Optional<String> link) {
    /** The result in a word, which is also the name of its colour. */
    String result() {
      int exitCode = run.facts().exitCode();
      return exitCode == ExitCode.NOTHING_NEW.code()
          ? "good"
          : exitCode == ExitCode.NEW_BUGS.code() ? "bad" : "open";
    }
  }

  static CampaignView of(Timeline timeline, SweepResult.Kind kind, Links links) {
    List<HistoryRun> all = timeline.runs();
    HistoryRun shown = timeline.lastWithReport().orElse(timeline.last());
    List<HistoryRun> recent = all.subList(Math.max(0, all.size() - RUNS_OF_TREND), all.size());
    List<HistoryRun> newest = new ArrayList<>(all);
    Collections.reverse(newest);
    int from = timeline.from(Optional.empty());
    List<FindingHistory> findings = timeline.findings();
    return new CampaignView(
        timeline.last().facts().campaign(),
        view(timeline.last(), links),
        shown,
        timeline.changesFrom(from),
        findings.stream()
            .limit(FINDINGS_SHOWN)
            .map(one -> new FindingView(one, one.state(from, shown.position())))
            .toList(),
        Math.max(0, findings.size() - FINDINGS_SHOWN),
        newest.stream().limit(RUNS_SHOWN).map(run -> view(run, links)).toList(),
        Math.max(0, newest.size() - RUNS_SHOWN),
        List.of(
            Trend.of("bugs", "bug", recent, run -> run.findings().bugs(), CampaignView::number),
            Trend.of(
                "other findings",
                "performance",
                recent,
                run ->
                    run.findings().races()
                        + run.findings().performance()
                        + run.findings().warnings(),
                CampaignView::number),
            Trend.of(
                "failure points",
                "plain",
                recent,
                run -> run.facts().failurePoints(),
                CampaignView::number),
            Trend.of("time", "plain", recent, run -> run.facts().seconds(), HistoryText::seconds)),
        kind,
        Trend.ofResults(all.subList(Math.max(0, all.size() - RUNS_OF_RESULTS), all.size())));
  }

  /** How many findings are new, or back again. */
  int added() {
    return changes.added().size() + changes.again().size();
  }

  /** The name of its section in the page. */
  String anchor() {
    return anchor(name);
  }

  static String anchor(String campaign) {
    return "campaign-" + URLEncoder.encode(campaign, StandardCharsets.UTF_8);
  }

  /** Its kind as the name of a look. */
  String style() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static RunView view(HistoryRun run, Links links) {
    return new RunView(run, run.facts().directory().flatMap(links::to));
  }

  private static String number(double value) {
    return Long.toString((long) value);
  }

  /** The rest of its line. */
  String facts() {
    List<String> facts = new ArrayList<>();
    RunRecord run = shown.facts();
    if (!run.hasReport()) {
      return HistoryText.seconds(run.seconds());
    }
    if (shown.findings().bugs() > 0) {
      facts.add(Text.counted(shown.findings().bugs(), "bug"));
    }
    if (added() > 0 && kind != SweepResult.Kind.NOT_RUN) {
      facts.add(added() + " new");
    }
    if (!changes.gone().isEmpty() && kind != SweepResult.Kind.NOT_RUN) {
      facts.add(changes.gone().size() + " gone");
    }
    facts.add(Text.counted(run.failurePoints(), "failure point"));
    facts.add(HistoryText.seconds(run.seconds()));
    if (!HistoryText.build(run).isEmpty()) {
      facts.add("build " + HistoryText.build(run));
    }
    if (kind == SweepResult.Kind.NOT_RUN) {
      facts.add("last run " + FindingText.time(last.run().started()));
    }
    return String.join(" · ", facts);
  }

  /** Why it failed, in a line. */
  String failure() {
    return last.run().facts().message().lines().findFirst().orElse("");
  }
}
