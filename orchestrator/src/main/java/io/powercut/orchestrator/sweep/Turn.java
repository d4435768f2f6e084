// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.campaign.Campaign;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.exit.Failure;
import io.powercut.orchestrator.session.Interruption;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.findings.Report;
import io.powercut.report.history.History;
import io.powercut.report.history.RunRecord;
import io.powercut.report.history.SweepLog;
import io.powercut.report.history.Timeline;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.sweep.SweepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;

/** One campaign of a sweep: runs it, or what is left of it, and keeps what came of it. */
final class Turn {
  static final String INTERRUPTED = "the sweep was interrupted";
  private static final double MILLISECONDS = 1000;

  private final PlannedCampaign planned;
  private final Path runs;
  private final History history;
  private final SweepLog.Begun sweep;
  private final CampaignRunner runner;
  private final Instant started = Instant.now();
  private Optional<RunDirectory> directory = Optional.empty();

  /**
   * @param planned what to run
   * @param runs folder of all runs
   * @param history where the result is kept
   * @param sweep whose turn it is
   * @param runner runs it
   */
  Turn(
      PlannedCampaign planned,
      Path runs,
      History history,
      SweepLog.Begun sweep,
      CampaignRunner runner) {
    this.planned = planned;
    this.runs = runs;
    this.history = history;
    this.sweep = sweep;
    this.runner = runner;
  }

  /** The result of an earlier part of the sweep, when it brought the campaign to its end. */
  Optional<SweepResult> ended() {
    Optional<Timeline> timeline = history.timeline(planned.name());
    return earlier()
        .flatMap(path -> timeline.flatMap(all -> all.in(path)))
        .filter(run -> !run.facts().isCutShort())
        .map(run -> SweepResult.of(timeline.orElseThrow(), run));
  }

  private Optional<Path> earlier() {
    return Optional.ofNullable(sweep.directories().get(SweepPlan.identity(planned.file())));
  }

  /**
   * Runs the campaign. Whatever goes wrong with it becomes its result.
   *
   * @param time how long it may take; as long as it says when there is none
   */
  SweepResult run(Optional<Duration> time, Progress progress, Interruption interruption) {
    Optional<Campaign> campaign = planned.campaign();
    if (campaign.isEmpty()) {
      return failed(new Failure(ExitCode.WRONG_USAGE, planned.problem(), ""));
    }
    Report report;
    try {
      report = report(campaign.get(), time, progress);
    } catch (Exception | Error thrown) {
      // A run whose processes are killed may fail in any way.
      if (interruption.isRequested()) {
        return SweepResult.notRun(planned.name(), INTERRUPTED);
      }
      return runner.isGone()
          ? SweepResult.notRun(planned.name(), "the cluster is gone")
          : failed(Failure.of(thrown));
    }
    Path path = directory.orElseThrow().path();
    synchronized (history) {
      history.add(report, path);
      Timeline timeline = history.timeline(planned.name()).orElseThrow();
      return SweepResult.of(timeline, timeline.in(path).orElseThrow());
    }
  }

  private Report report(Campaign campaign, Optional<Duration> time, Progress progress)
      throws IOException {
    RunDirectory place = directory(campaign);
    directory = Optional.of(place);
    synchronized (history) {
      history.sweeps().runs(sweep, SweepPlan.identity(planned.file()), place.path());
    }
    return runner.run(campaign, planned.file(), place, time, progress);
  }

  private RunDirectory directory(Campaign campaign) {
    Optional<Path> begun =
        earlier().filter(path -> Files.exists(new RunDirectory(path).campaignFile()));
    if (begun.isPresent()) {
      RunDirectory known = RunDirectory.open(begun.get());
      if (known.campaign().equals(campaign)) {
        return known;
      }
    }
    return RunDirectory.create(
        runs, campaign.name(), LocalDateTime.ofInstant(started, ZoneId.systemDefault()));
  }

  private SweepResult failed(Failure failure) {
    RunRecord record =
        RunRecord.failure(
            planned.name(),
            started,
            directory.map(RunDirectory::path),
            failure.exit(),
            failure.text(),
            Duration.between(started, Instant.now()).toMillis() / MILLISECONDS);
    synchronized (history) {
      history.addFailure(record);
    }
    return SweepResult.failed(record);
  }
}
