// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.Determinism;
import io.powercut.campaign.sections.TargetSection;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import io.powercut.process.Supervisor;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.Deaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the target under the recorder and says whether it did what it should. */
public final class TargetRunner implements Target {
  private final TargetSection target;
  private final boolean fixedAddresses;
  private final Commands commands;
  private final Supervisors supervisors;
  private final CommandRecorder recorder;
  private volatile @Nullable Supervisor running;

  public TargetRunner(
      Campaign campaign, Commands commands, Supervisors supervisors, CommandRecorder recorder) {
    this.target = campaign.target();
    this.fixedAddresses = campaign.determinism().addressSpace() == Determinism.FIXED;
    this.commands = commands;
    this.supervisors = supervisors;
    this.recorder = recorder;
  }

  @Override
  public TargetOutcome run(Execution execution, RecorderOptions options) {
    CommandSpec command = command(execution, options);
    Optional<ServerPlan> plan =
        commands
            .server(target, execution.places())
            .map(one -> one.withOthers(other -> recorder.beside(other, options)));
    try (Supervisors.Loan loan = supervisors.borrow()) {
      running = loan.supervisor();
      Success success = Commands.success(target.success(), target);
      try {
        return outcome(CommandOutcome.of(loan.supervisor(), command, plan, success), execution);
      } finally {
        running = null; // From here on another may borrow the supervisor.
      }
    }
  }

  @Override
  public void abort() {
    Supervisor supervisor = running;
    if (supervisor != null) {
      supervisor.close();
    }
  }

  /** The target's command under the recorder. */
  public CommandSpec command(Execution execution, RecorderOptions options) {
    CommandSpec plain =
        commands
            .bounded(
                commands.expand(target.command(), execution.places()),
                target.timeout(),
                execution.places())
            .outputFile(execution.places().scratch().resolve("target.txt"))
            .addressSpaceRandomised(!fixedAddresses)
            .build();
    TargetProgram.require(plain);
    return recorder.record(plain, options);
  }

  private static TargetOutcome outcome(CommandOutcome outcome, Execution execution) {
    CommandResult result = outcome.result();
    try {
      Optional<ControlFile> control = ControlFile.read(execution.trace());
      List<String> stack = Deaths.lastStack(execution.trace()).orElse(List.of());
      Optional<String> error =
          control.flatMap(ControlFile::error).map(what -> explain(what, outcome, stack));
      Optional<String> failure =
          outcome
              .problem()
              .map(
                  how ->
                      "the target failed: " + Preparation.explain(outcome, "target", how, stack));
      return new TargetOutcome(result, error.or(() -> failure), control);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the recorder says is enough, but where Valgrind itself has failed. */
  private static String explain(
      ControlFile.RecorderError error, CommandOutcome outcome, List<String> stack) {
    return stack.isEmpty()
        ? error.message()
        : Preparation.explain(outcome, "target", error.message(), stack);
  }
}
