// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recovery;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.CommandRecorder;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.process.CommandSpec;
import io.powercut.recorder.RecorderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Steps of recovery, real processes, under a recorder that is a function: before a step starts, its
 * trace is written and its files are changed by hand.
 */
public final class HandRecovery implements AutoCloseable {
  private final Supervisors supervisors = new Supervisors();
  private final Campaign campaign;
  private final Path outputs;
  private final TargetByHand.Program program;

  /**
   * @param outputs directory for the output of commands
   * @param program what each recorded step does to the pool
   */
  public HandRecovery(Campaign campaign, Path outputs, TargetByHand.Program program) {
    this.campaign = campaign;
    this.outputs = outputs;
    this.program = program;
  }

  /** The campaign's steps. */
  public RecoverySteps steps() {
    CommandRecorder recorder = this::record;
    return new RecoverySteps(commands(), supervisors, recorder, campaign.limits().memory());
  }

  /** The campaign's commands. */
  public Commands commands() {
    return new Commands(campaign, outputs);
  }

  /** What runs them. */
  public Supervisors supervisors() {
    return supervisors;
  }

  private CommandSpec record(CommandSpec plain, RecorderOptions options) {
    try {
      new TargetByHand(program)
          .record(options.pmDirectory(), options.traceDirectory(), Optional.empty());
      return plain;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    supervisors.close();
  }
}
