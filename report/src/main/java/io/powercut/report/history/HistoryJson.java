// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The history for programs; docs/nightly-sweeps.md describes it. */
public final class HistoryJson {
  /** Version of this layout. */
  static final int FORMAT = 1;

  private HistoryJson() {}

  /**
   * All that was asked for.
   *
   * @param format version of this layout
   * @param campaigns in the order of their names
   */
  public record Document(int format, List<Campaign> campaigns) {}

  /**
   * One campaign.
   *
   * @param campaign its name
   * @param runs the oldest first
   * @param findings all that were ever seen
   */
  public record Campaign(String campaign, List<Run> runs, List<FoundOne> findings) {}

  /**
   * One run; the keys are those of {@link RunRecord} and {@link FindingCounts}.
   *
   * @param started UTC, ISO 8601
   */
  public record Run(
      String started,
      Optional<String> directory,
      String targetBuildId,
      Optional<String> shard,
      int exitCode,
      boolean complete,
      String message,
      long failurePoints,
      long injected,
      double seconds,
      Map<String, Long> verdicts,
      Map<String, Double> timings,
      FindingCounts findings) {}

  /**
   * One finding.
   *
   * @param state {@code NEW}, {@code AGAIN}, {@code STAYS}, {@code UNKNOWN} or {@code GONE}
   * @param firstSeen when the run began that showed it first; the other times alike
   * @param runs how many runs showed it
   */
  public record FoundOne(
      String fingerprint,
      String state,
      String severity,
      String kind,
      String title,
      String place,
      boolean accepted,
      String firstSeen,
      String lastSeen,
      Optional<String> cameBack,
      Optional<String> goneSince,
      int runs) {}

  /**
   * These campaigns.
   *
   * @param since from when on findings are new; without it, those of each campaign's last run are
   */
  public static Document of(List<Timeline> timelines, Optional<Instant> since) {
    return new Document(
        FORMAT, timelines.stream().map(timeline -> campaign(timeline, since)).toList());
  }

  private static Campaign campaign(Timeline timeline, Optional<Instant> since) {
    int from = timeline.from(since);
    int latest = timeline.lastWithReport().map(HistoryRun::position).orElse(0);
    return new Campaign(
        timeline.last().facts().campaign(),
        timeline.runs().stream().map(HistoryJson::run).toList(),
        timeline.findings().stream().map(one -> finding(one, one.state(from, latest))).toList());
  }

  private static Run run(HistoryRun run) {
    RunRecord facts = run.facts();
    return new Run(
        facts.started().toString(),
        facts.directory().map(Path::toString),
        facts.targetBuildId(),
        facts.shard(),
        facts.exitCode(),
        facts.complete(),
        facts.message(),
        facts.failurePoints(),
        facts.injected(),
        facts.seconds(),
        facts.verdicts(),
        facts.timings(),
        run.findings());
  }

  private static FoundOne finding(FindingHistory history, FindingHistory.State state) {
    KnownFinding finding = history.finding();
    return new FoundOne(
        finding.fingerprint(),
        state.name(),
        finding.severity().name(),
        finding.kind(),
        finding.title(),
        finding.place(),
        history.accepted(),
        history.first().started().toString(),
        history.last().started().toString(),
        history.cameBack().map(run -> run.started().toString()),
        history.goneSince().map(run -> run.started().toString()),
        history.runs());
  }
}
