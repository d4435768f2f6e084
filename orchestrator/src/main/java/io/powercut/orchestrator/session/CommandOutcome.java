// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.oracle.server.ServerOutcome;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.oracle.server.ServerRun;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.Success;
import io.powercut.process.Supervisor;
import java.util.Optional;

/**
 * The outcome of a command of the campaign, which may be a server.
 *
 * @param result the command's own
 * @param problem why it did not do what it should, without a full stop; empty when it did
 * @param other what was run beside it and failed: a server's client, or the command that stops it
 * @param isServerProblem whether the problem is what it did as a server, and not how it ended
 */
public record CommandOutcome(
    CommandResult result,
    Optional<String> problem,
    Optional<ServerOutcome.Other> other,
    boolean isServerProblem) {
  private CommandOutcome(CommandResult result, Optional<String> problem) {
    this(result, problem, Optional.empty(), false);
  }

  /**
   * Runs a command to its end.
   *
   * @param plan what to do with it if it is a server
   * @param success how it ends when all is well; a server also as its plan asks for
   */
  public static CommandOutcome of(
      Supervisor supervisor, CommandSpec command, Optional<ServerPlan> plan, Success success) {
    if (plan.isEmpty()) {
      CommandResult result = supervisor.run(command);
      return new CommandOutcome(result, problem(result, success));
    }
    ServerOutcome outcome = ServerRun.run(supervisor, command, plan.get());
    CommandResult server = outcome.server();
    if (!(outcome instanceof ServerOutcome.Completed) && !isEndedByItsClient(outcome)) {
      return new CommandOutcome(
          server, Optional.of(outcome.describe()), outcome.failedOther(), true);
    }
    return new CommandOutcome(
        server,
        plan.get().stop().asksFor(server.ending()) ? Optional.empty() : problem(server, success));
  }

  /** A client may tell its server to end. */
  private static boolean isEndedByItsClient(ServerOutcome outcome) {
    return outcome instanceof ServerOutcome.EndedUnasked
        && outcome.clientResult().isPresent()
        && outcome.server().ending() instanceof Ending.Exited;
  }

  private static Optional<String> problem(CommandResult result, Success success) {
    return success.assess(result) instanceof Success.Assessment.Met
        ? Optional.empty()
        : Optional.of(result.ending().describe());
  }
}
