// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.oracle.server.ServerOutcome;
import io.powercut.oracle.server.StopPlan;
import io.powercut.process.CommandResult;
import io.powercut.process.Ending;
import io.powercut.process.Success;
import java.util.OptionalInt;

/**
 * Turns the outcome of a step that is a server into a verdict.
 *
 * @param success how the server ends when all is well
 * @param stop how it is stopped
 */
record ServerJudge(Success success, StopPlan stop) implements ServerOutcome.Visitor<Verdict> {
  @Override
  public Verdict visit(ServerOutcome.Completed outcome) {
    CommandResult server = outcome.server();
    return stop.asksFor(server.ending())
        ? new Verdict.Consistent()
        : StepJudge.judge(success, server);
  }

  @Override
  public Verdict visit(ServerOutcome.EndedBeforeReady outcome) {
    return judgeEarly(outcome);
  }

  @Override
  public Verdict visit(ServerOutcome.NotReady outcome) {
    return new Verdict.Hung(outcome.limit(), outcome.describe(), StepJudge.NOT_ASKED);
  }

  /** The signal that stops a server is a crash if Powercut did not send it. */
  @Override
  public Verdict visit(ServerOutcome.EndedUnasked outcome) {
    return outcome.server().ending() instanceof Ending.Exited
        ? StepJudge.judge(success, outcome.server())
        : judgeEarly(outcome);
  }

  @Override
  public Verdict visit(ServerOutcome.EndedDuringClient outcome) {
    return judgeEarly(outcome);
  }

  @Override
  public Verdict visit(ServerOutcome.ClientFailed outcome) {
    return judgeFailure(outcome, outcome.client());
  }

  @Override
  public Verdict visit(ServerOutcome.ClientUnclear outcome) {
    return new Verdict.Inconclusive(outcome.describe());
  }

  @Override
  public Verdict visit(ServerOutcome.StopFailed outcome) {
    return judgeFailure(outcome, outcome.stop());
  }

  @Override
  public Verdict visit(ServerOutcome.DidNotStop outcome) {
    return new Verdict.Hung(outcome.grace(), outcome.describe(), StepJudge.NOT_ASKED);
  }

  /** A server that ended before its time is no success, whatever its exit code. */
  private static Verdict judgeEarly(ServerOutcome outcome) {
    CommandResult server = outcome.server();
    return server.ending() instanceof Ending.Signalled signalled
        ? StepJudge.judgeSignalled(Success.EXIT_ZERO, server, signalled.signal())
        : judgeFailure(outcome, server);
  }

  /**
   * The client's or the stopping command's own end by a signal is no crash of recovery, but it is a
   * failure.
   */
  private static Verdict judgeFailure(ServerOutcome outcome, CommandResult failed) {
    String seen = outcome.describe();
    String said = failed.outputTail();
    return failed
        .ending()
        .match(
            exited -> new Verdict.Unrecoverable(seen, said, OptionalInt.of(exited.code())),
            signalled -> new Verdict.Unrecoverable(seen, said, OptionalInt.empty()),
            timedOut -> new Verdict.Hung(timedOut.limit(), seen, StepJudge.NOT_ASKED),
            aborted -> new Verdict.Inconclusive(seen));
  }
}
