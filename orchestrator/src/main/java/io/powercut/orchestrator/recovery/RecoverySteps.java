// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recovery;

import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.CommandRecorder;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Supervisor;
import io.powercut.recorder.RecorderOptions;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The steps of a campaign's recovery, one by one, with the recorder and without it. */
public final class RecoverySteps {
  /** How much longer than without the recorder a step may take. */
  private static final int PATIENCE = 30;

  /** And how much longer when its reads are watched natively. */
  private static final int PATIENCE_WHEN_WATCHED = 2;

  private final Commands commands;
  private final Supervisors supervisors;
  private final CommandRecorder recorder;
  private final DataSize memory;

  /**
   * @param memory what a step may use at least when it is recorded: the recorder needs some itself
   */
  public RecoverySteps(
      Commands commands, Supervisors supervisors, CommandRecorder recorder, DataSize memory) {
    this.commands = commands;
    this.supervisors = supervisors;
    this.recorder = recorder;
    this.memory = memory;
  }

  /** The steps on a private copy of an image, in order. */
  public List<RecoveryStep> on(ExecutionDirectories places) {
    return commands.recovery(places);
  }

  /** Runs one to its end, without the recorder. */
  public CommandOutcome run(RecoveryStep step) {
    try (Supervisors.Loan loan = supervisors.borrow()) {
      return CommandOutcome.of(loan.supervisor(), step.command(), step.server(), step.success());
    }
  }

  /** Runs one to its end, and sees which lines it reads. */
  public CommandOutcome watch(RecoveryStep step, ReadsWatch.Copy copy) {
    CommandSpec plain = step.command();
    CommandSpec watched =
        copy.watch(
            plain.toBuilder()
                .timeLimit(plain.timeLimit().multipliedBy(PATIENCE_WHEN_WATCHED))
                .build());
    try (Supervisors.Loan loan = supervisors.borrow()) {
      return CommandOutcome.of(loan.supervisor(), watched, step.server(), step.success());
    }
  }

  /** Records one to its end; the client of a server runs without the recorder. */
  public CommandOutcome record(RecoveryStep step, RecorderOptions options) {
    try (Supervisors.Loan loan = supervisors.borrow()) {
      return record(loan.supervisor(), step, options);
    }
  }

  private CommandOutcome record(Supervisor supervisor, RecoveryStep step, RecorderOptions options) {
    Optional<ServerPlan> plan = step.server().map(each -> each.withMorePatience(PATIENCE));
    return CommandOutcome.of(supervisor, recorded(step, options), plan, step.success());
  }

  /**
   * The command that runs it. A step for which less memory is allowed than for the target gets as
   * much as that.
   */
  private CommandSpec recorded(RecoveryStep step, RecorderOptions options) {
    CommandSpec plain = step.command();
    return recorder.record(
        plain.toBuilder()
            .timeLimit(plain.timeLimit().multipliedBy(PATIENCE))
            .memoryLimit(Collections.max(List.of(memory, plain.memoryLimit().orElse(memory))))
            .build(),
        options);
  }

  /** Begins to record one, in a thread of its own. */
  public RunningStep start(RecoveryStep step, RecorderOptions options) {
    Supervisors.Loan loan = supervisors.borrow();
    return RunningStep.of(loan, supervisor -> record(supervisor, step, options));
  }
}
