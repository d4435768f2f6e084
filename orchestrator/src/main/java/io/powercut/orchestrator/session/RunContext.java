// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.campaign.Campaign;
import io.powercut.image.PmArea;
import io.powercut.recorder.Recorder;
import io.powercut.report.rundir.RunDirectory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is open while a run lasts. Only what assembles a run sees it; each part gets what it needs.
 *
 * @param campaign what is run
 * @param directory what the run leaves behind
 * @param area where its private PM directories are
 * @param supervisors what runs its commands
 * @param recorder the recorder
 * @param commands the campaign's commands
 * @param progress receives the events
 * @param timings where time goes
 * @param parallel how many executions run at a time, from 1
 * @param interrupted set when the run is to end as soon as it can
 */
public record RunContext(
    Campaign campaign,
    RunDirectory directory,
    PmArea area,
    Supervisors supervisors,
    Recorder recorder,
    Commands commands,
    Progress progress,
    Timings timings,
    int parallel,
    AtomicBoolean interrupted) {

  /** What worker threads share. */
  public Resources resources() {
    return new Resources(area, parallel, interrupted);
  }

  /** What the run reports. */
  public Phases phases() {
    return new Phases(progress, timings);
  }

  /** Where work on crash images is done. */
  public Workplace workplace() {
    return new Workplace(directory, resources(), phases());
  }

  /**
   * Ends the calling thread's work when the run was interrupted.
   *
   * @throws InterruptedRunException if it was
   */
  public void checkInterrupted() {
    resources().checkInterrupted();
  }
}
