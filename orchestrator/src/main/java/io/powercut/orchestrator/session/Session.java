// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.campaign.Campaign;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmArea;
import io.powercut.recorder.Recorder;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * What is open while a campaign runs: supervisors and the area for PM files. Closing it, or Ctrl-C,
 * ends the first and removes the second.
 */
public final class Session implements AutoCloseable {
  private final Interruption interruption;
  private final Supervisors supervisors;
  private final PmArea area;
  private final RunContext context;

  private Session(
      Interruption interruption, Supervisors supervisors, PmArea area, RunContext context) {
    this.interruption = interruption;
    this.supervisors = supervisors;
    this.area = area;
    this.context = context;
  }

  /**
   * Opens what a campaign needs, with as many executions at a time as it says, or else as there are
   * processors.
   *
   * @throws PowercutException if a tool is missing or PM files cannot be kept where the campaign
   *     wants them
   */
  public static Session open(
      Campaign campaign, RunDirectory directory, Progress progress, Timings timings) {
    return open(
        campaign,
        directory,
        progress,
        timings,
        campaign.limits().parallel().orElse(Runtime.getRuntime().availableProcessors()));
  }

  /**
   * Opens what a campaign needs.
   *
   * @param parallel how many executions run at a time, from 1
   * @throws PowercutException as above
   */
  public static Session open(
      Campaign campaign, RunDirectory directory, Progress progress, Timings timings, int parallel) {
    Recorder recorder = Recorder.find();
    PmArea area = createArea(PmParent.of(campaign.pm()));
    Supervisors supervisors = new Supervisors();
    Interruption interruption = new Interruption(supervisors::close);
    RunContext context =
        new RunContext(
            campaign,
            directory,
            area,
            supervisors,
            recorder,
            new Commands(campaign, directory.outputDirectory()),
            progress,
            timings,
            parallel,
            interruption.flag());
    return new Session(interruption, supervisors, area, context);
  }

  private static PmArea createArea(Path parent) {
    try {
      PmArea.removeAbandoned(parent);
      return PmArea.create(parent);
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot keep PM files in %s: %s. Set pm.directory to another directory."
              .formatted(parent, FileProblem.of(parent, e).reason()));
    }
  }

  public RunContext context() {
    return context;
  }

  @Override
  public void close() {
    try {
      supervisors.close();
      area.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      interruption.close();
    }
  }
}
