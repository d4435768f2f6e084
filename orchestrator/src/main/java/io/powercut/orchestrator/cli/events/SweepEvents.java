// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.events;

import io.powercut.api.Event;
import io.powercut.orchestrator.engine.EventLog;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.sweep.SweepListener;
import io.powercut.orchestrator.sweep.SweepOutcome;
import io.powercut.report.history.RunRecord;
import io.powercut.report.sweep.SweepResult;
import java.time.Duration;
import java.util.Optional;

/** Events of a sweep: those of each campaign between its beginning and its result. */
public final class SweepEvents implements SweepListener {
  private final EventLog log;
  private final Runnable afterEach;

  /**
   * @param log takes the events
   * @param afterEach done when a campaign has ended
   */
  public SweepEvents(EventLog log, Runnable afterEach) {
    this.log = log;
    this.afterEach = afterEach;
  }

  @Override
  public Progress begins(String campaign, int number, int count, Optional<Duration> time) {
    log.write(new Event.CampaignBegan(EventLog.now(), campaign, number, count));
    return log;
  }

  @Override
  public void ended(SweepResult result, int number, int count) {
    log.write(
        new Event.Result(
            EventLog.now(),
            result.campaign(),
            result.exit().code(),
            result.exit().meaning(),
            result.findings().bugs(),
            result.findings().races(),
            result
                .run()
                .filter(RunRecord::hasReport)
                .flatMap(RunRecord::directory)
                .map(directory -> directory.resolve("report.json").toString()),
            result.reason(),
            result.run().map(RunRecord::seconds).orElse(0.0)));
    afterEach.run();
  }

  /** The sweep has ended. */
  public static Event result(SweepOutcome outcome) {
    return new Event.SweepResult(
        EventLog.now(),
        outcome.exit().code(),
        outcome.exit().meaning(),
        outcome.results().size(),
        (int) outcome.results().stream().filter(one -> one.run().isPresent()).count(),
        outcome.seconds());
  }
}
