package io.powercut.orchestrator.run;

import io.powercut.instrumentation.RecorderOptions;
import io.powercut.instrumentation.trace.ControlFile;
import io.powercut.oracle.server.ServerOutcome;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.oracle.server.ServerRun;
import io.powercut.orchestrator.campaign.Determinism;
import io.powercut.orchestrator.campaign.TargetSection;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Success;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the target under the recorder and says whether it did what it should. */
final class TargetRunner {
  private final RunContext context;
  private final TargetSection target;
  private volatile @Nullable Supervisor running;

  TargetRunner(RunContext context) {
    this.context = context;
    this.target = context.campaign().target();
  }

  /** Runs it once, to its end or to where the recorder stops it. */
  TargetOutcome run(Execution execution, RecorderOptions options) {
    CommandSpec command = command(execution, options);
    Optional<ServerPlan> plan =
        context
            .commands()
            .server(target.ready(), target.client(), target.stopAction(), execution.places());
    try (Supervisors.Loan loan = context.supervisors().borrow()) {
      running = loan.supervisor();
      if (plan.isEmpty()) {
        CommandResult result = loan.supervisor().run(command);
        return outcome(result, problem(result), execution);
      }
      ServerOutcome outcome = ServerRun.run(loan.supervisor(), command, plan.get());
      return outcome(outcome.server(), problem(outcome), execution);
    }
  }

  /** Kills the target that another thread runs. */
  void abort() {
    Supervisor supervisor = running;
    if (supervisor != null) {
      supervisor.close();
    }
  }

  /** The target's command under the recorder. */
  CommandSpec command(Execution execution, RecorderOptions options) {
    boolean fixedAddresses = context.campaign().determinism().addressSpace() == Determinism.FIXED;
    CommandSpec plain =
        context
            .commands()
            .bounded(
                context.commands().expand(target.command(), execution.places()),
                target.timeout(),
                execution.places())
            .outputFile(execution.places().scratch().resolve("target.txt"))
            .addressSpaceRandomised(!fixedAddresses)
            .build();
    TargetProgram.require(plain);
    return context.recorder().record(plain, options);
  }

  private static TargetOutcome outcome(
      CommandResult result, Optional<String> problem, Execution execution) {
    try {
      Optional<ControlFile> control = ControlFile.read(execution.trace());
      Optional<String> error =
          control.flatMap(ControlFile::error).map(ControlFile.RecorderError::message);
      return new TargetOutcome(result, error.or(() -> problem), control);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> problem(ServerOutcome outcome) {
    return outcome instanceof ServerOutcome.Completed completed
        ? problem(completed.server())
        : Optional.of(outcome.describe() + ". It printed:\n" + outcome.server().outputTail());
  }

  private Optional<String> problem(CommandResult result) {
    Success success = Commands.success(target.success(), target.isServer(), target.stopAction());
    return success.assess(result) instanceof Success.Assessment.Met
        ? Optional.empty()
        : Optional.of("the target failed: " + Preparation.explain(result, "target"));
  }
}
