// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.oracle.server.ServerOutcome;
import io.powercut.oracle.server.StopPlan;
import io.powercut.process.CommandResult;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.process.Success;
import io.powercut.process.Success.Assessment;
import java.util.OptionalInt;

/** Turns the outcome of one step into a verdict. */
final class StepJudge {
  private static final CrashStack NOT_ASKED = CrashStack.missing("the stack was not requested");

  private StepJudge() {}

  static Verdict judge(Success success, CommandResult result) {
    Ending ending = result.ending();
    if (ending instanceof Ending.Exited exited) {
      return judgeEnded(success, result, OptionalInt.of(exited.code()));
    }
    if (ending instanceof Ending.Signalled signalled) {
      return judgeSignalled(success, result, signalled.signal());
    }
    if (ending instanceof Ending.TimedOut timedOut) {
      return new Verdict.Hung(timedOut.limit(), ending.describe(), NOT_ASKED);
    }
    return new Verdict.Inconclusive(ending.describe());
  }

  private static Verdict judgeSignalled(Success success, CommandResult result, Signal signal) {
    if (success.signals().contains(signal)) {
      return judgeEnded(success, result, OptionalInt.empty());
    }
    if (signal.equals(Signal.KILL)) {
      return new Verdict.Inconclusive(
          "it was ended by SIGKILL, which comes from outside: from the kernel when memory is exhausted,"
              + " or from another process");
    }
    return new Verdict.Crashed(signal, NOT_ASKED);
  }

  private static Verdict judgeEnded(Success success, CommandResult result, OptionalInt exitCode) {
    Assessment assessment = success.assess(result);
    if (assessment instanceof Assessment.Met) {
      return new Verdict.Consistent();
    }
    return assessment instanceof Assessment.Unmet unmet
        ? new Verdict.Unrecoverable(unmet.why(), result.outputTail(), exitCode)
        : new Verdict.Inconclusive(assessment.describe());
  }

  static Verdict judge(Success success, StopPlan stop, ServerOutcome outcome) {
    if (outcome instanceof ServerOutcome.Completed completed) {
      return judgeStopped(success, stop, completed.server());
    }
    if (outcome instanceof ServerOutcome.EndedBeforeReady
        || outcome instanceof ServerOutcome.EndedDuringClient) {
      return judgeEarly(outcome);
    }
    if (outcome instanceof ServerOutcome.EndedUnasked) {
      return judgeUnasked(success, outcome);
    }
    if (outcome instanceof ServerOutcome.NotReady notReady) {
      return new Verdict.Hung(notReady.limit(), outcome.describe(), NOT_ASKED);
    }
    if (outcome instanceof ServerOutcome.DidNotStop didNotStop) {
      return new Verdict.Hung(didNotStop.grace(), outcome.describe(), NOT_ASKED);
    }
    if (outcome instanceof ServerOutcome.ClientFailed failed) {
      return judgeFailure(outcome, failed.client());
    }
    if (outcome instanceof ServerOutcome.StopFailed failed) {
      return judgeFailure(outcome, failed.stop());
    }
    return new Verdict.Inconclusive(outcome.describe());
  }

  private static Verdict judgeStopped(Success success, StopPlan stop, CommandResult server) {
    return stop.asksFor(server.ending()) ? new Verdict.Consistent() : judge(success, server);
  }

  /** The signal that stops a server is a crash if Powercut did not send it. */
  private static Verdict judgeUnasked(Success success, ServerOutcome outcome) {
    return outcome.server().ending() instanceof Ending.Exited
        ? judge(success, outcome.server())
        : judgeEarly(outcome);
  }

  /** A server that ended before its time is no success, whatever its exit code. */
  private static Verdict judgeEarly(ServerOutcome outcome) {
    CommandResult server = outcome.server();
    return server.ending() instanceof Ending.Signalled signalled
        ? judgeSignalled(Success.EXIT_ZERO, server, signalled.signal())
        : judgeFailure(outcome, server);
  }

  /**
   * The client's or the stopping command's own end by a signal is no crash of recovery, but it is a
   * failure.
   */
  private static Verdict judgeFailure(ServerOutcome outcome, CommandResult failed) {
    Ending ending = failed.ending();
    if (ending instanceof Ending.Exited exited) {
      return new Verdict.Unrecoverable(
          outcome.describe(), failed.outputTail(), OptionalInt.of(exited.code()));
    }
    if (ending instanceof Ending.Signalled) {
      return new Verdict.Unrecoverable(
          outcome.describe(), failed.outputTail(), OptionalInt.empty());
    }
    return ending instanceof Ending.TimedOut timedOut
        ? new Verdict.Hung(timedOut.limit(), outcome.describe(), NOT_ASKED)
        : new Verdict.Inconclusive(outcome.describe());
  }
}
