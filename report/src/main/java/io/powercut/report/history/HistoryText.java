// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.exit.ExitCode;
import io.powercut.report.history.FindingHistory.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The history for a terminal. */
public final class HistoryText {
  private static final int RUNS_OF_TREND = 8;
  private static final int DIGITS_OF_BUILD_ID = 12;

  private HistoryText() {}

  /**
   * All campaigns, a line each.
   *
   * @param since from when on news are new; without it, those of each campaign's last run are
   */
  public static List<String> overview(List<Timeline> timelines, Optional<Instant> since) {
    TextTable table =
        new TextTable(
            "campaign",
            "runs",
            "last run",
            "exit",
            "bugs",
            "races",
            "performance",
            "warnings",
            "accepted",
            "new",
            "gone",
            "failure points",
            "time",
            "bugs run by run");
    timelines.forEach(timeline -> table.add(row(timeline, since)));
    List<String> lines = new ArrayList<>(table.lines());
    timelines.stream()
        .map(Timeline::last)
        .filter(run -> !run.facts().hasReport())
        .forEach(run -> lines.addAll(failure(run)));
    return lines;
  }

  private static List<String> row(Timeline timeline, Optional<Instant> since) {
    HistoryRun last = timeline.last();
    HistoryRun shown = timeline.lastWithReport().orElse(last);
    RunChanges changes = timeline.changesFrom(timeline.from(since));
    return List.of(
        last.facts().campaign(),
        Integer.toString(timeline.runs().size()),
        FindingText.time(last.started()),
        Integer.toString(last.facts().exitCode()),
        Long.toString(shown.findings().bugs()),
        Long.toString(shown.findings().races()),
        Long.toString(shown.findings().performance()),
        Long.toString(shown.findings().warnings()),
        Long.toString(shown.findings().accepted()),
        Integer.toString(changes.added().size() + changes.again().size()),
        Integer.toString(changes.gone().size()),
        Long.toString(shown.facts().failurePoints()),
        seconds(last.facts().seconds()),
        trend(timeline));
  }

  /** Seconds as tables show them. */
  public static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }

  private static String trend(Timeline timeline) {
    List<HistoryRun> reported =
        timeline.runs().stream().filter(run -> run.facts().hasReport()).toList();
    return reported.subList(Math.max(0, reported.size() - RUNS_OF_TREND), reported.size()).stream()
        .map(run -> Long.toString(run.findings().bugs()))
        .collect(Collectors.joining(" "));
  }

  private static List<String> failure(HistoryRun run) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        run.facts().campaign()
            + " failed at "
            + FindingText.time(run.started())
            + " with the message:");
    run.facts().message().lines().forEach(line -> lines.add("  " + line));
    return lines;
  }

  /**
   * One campaign: what is new, what is there and since when, what went and when.
   *
   * @param since from when on news are new; without it, those of the last run are
   */
  public static List<String> campaign(Timeline timeline, Optional<Instant> since) {
    List<String> lines = new ArrayList<>();
    HistoryRun last = timeline.last();
    lines.add("campaign   " + last.facts().campaign());
    lines.add(
        "runs       %d since %s"
            .formatted(timeline.runs().size(), FindingText.time(timeline.runs().get(0).started())));
    lines.add("last run   " + lastRun(last));
    last.facts().directory().ifPresent(path -> lines.add("           " + path));
    if (!last.facts().hasReport()) {
      lines.addAll(failure(last));
    }
    int from = timeline.from(since);
    int latest = timeline.lastWithReport().map(HistoryRun::position).orElse(0);
    String period = since.map(time -> " since " + FindingText.time(time)).orElse("");
    for (State state : List.of(State.NEW, State.AGAIN, State.STAYS, State.UNKNOWN)) {
      section(
          state.words() + (state == State.NEW || state == State.AGAIN ? period : ""),
          timeline.findings().stream().filter(one -> one.state(from, latest) == state).toList(),
          lines);
    }
    RunChanges changes = timeline.changesFrom(from);
    section(State.GONE.words() + period, changes.gone(), lines);
    section(
        "gone before",
        timeline.findings().stream()
            .filter(one -> one.state(from, latest) == State.GONE && !one.wentFrom(from))
            .toList(),
        lines);
    if (timeline.findings().isEmpty()) {
      lines.add("");
      lines.add("no run has shown a finding");
    }
    return lines;
  }

  private static String lastRun(HistoryRun run) {
    return "%s, exit code %d: %s%s"
        .formatted(
            FindingText.time(run.started()),
            run.facts().exitCode(),
            meaning(run.facts().exitCode()),
            build(run.facts()).isEmpty() ? "" : ", build " + build(run.facts()));
  }

  /** An exit code in words; what is new, the history shows better than the code. */
  public static String meaning(int exitCode) {
    return ExitCode.of(exitCode)
        .map(exit -> exit == ExitCode.NEW_BUGS ? "bugs that are not accepted" : exit.meaning())
        .orElse("unknown");
  }

  /** The beginning of the target's build id; empty when it is not known. */
  public static String build(RunRecord run) {
    String build = run.targetBuildId();
    return build.substring(0, Math.min(DIGITS_OF_BUILD_ID, build.length()));
  }

  private static void section(String title, List<FindingHistory> findings, List<String> lines) {
    if (!findings.isEmpty()) {
      lines.add("");
      lines.add(title + " (" + findings.size() + ")");
      findings.forEach(one -> lines.addAll(FindingText.of(one)));
    }
  }
}
