// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.exit.ExitCode;
import io.powercut.report.history.FindingCounts;
import io.powercut.report.history.HistoryRun;
import io.powercut.report.history.RunChanges;
import io.powercut.report.history.RunRecord;
import io.powercut.report.history.Timeline;
import java.util.Optional;

/**
 * The outcome of one campaign of a sweep.
 *
 * @param campaign its name
 * @param run what its run came to; nothing when it was not run
 * @param findings how many it showed
 * @param changes what is different from the runs before
 * @param reason why it was not run, or has no report; empty when it has one
 */
public record SweepResult(
    String campaign,
    Optional<RunRecord> run,
    FindingCounts findings,
    RunChanges changes,
    String reason) {
  /** A campaign that was not run. */
  static SweepResult notRun(String campaign, String reason) {
    return new SweepResult(campaign, Optional.empty(), FindingCounts.NONE, RunChanges.NONE, reason);
  }

  /** A run as the history has it. */
  static SweepResult of(Timeline timeline, HistoryRun run) {
    return new SweepResult(
        run.facts().campaign(),
        Optional.of(run.facts()),
        run.findings(),
        timeline.changesOf(run),
        run.facts().message());
  }

  /** A run that came to no report. */
  static SweepResult failed(RunRecord failure) {
    return new SweepResult(
        failure.campaign(),
        Optional.of(failure),
        FindingCounts.NONE,
        RunChanges.NONE,
        failure.message());
  }

  /** As {@code powercut run} would have ended; incomplete when it was not run. */
  public ExitCode exit() {
    return run.flatMap(one -> ExitCode.of(one.exitCode())).orElse(ExitCode.INCOMPLETE);
  }
}
