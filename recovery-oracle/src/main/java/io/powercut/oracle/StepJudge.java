// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.process.CommandResult;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.process.Success;
import java.util.OptionalInt;

/** Turns the outcome of a step that is a command into a verdict. */
final class StepJudge {
  static final CrashStack NOT_ASKED = CrashStack.missing("the stack was not requested");

  private StepJudge() {}

  static Verdict judge(Success success, CommandResult result) {
    Ending ending = result.ending();
    return ending.match(
        exited -> judgeEnded(success, result, OptionalInt.of(exited.code())),
        signalled -> judgeSignalled(success, result, signalled.signal()),
        timedOut -> new Verdict.Hung(timedOut.limit(), ending.describe(), NOT_ASKED),
        aborted -> new Verdict.Inconclusive(ending.describe()));
  }

  static Verdict judgeSignalled(Success success, CommandResult result, Signal signal) {
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
    return success
        .assess(result)
        .match(
            met -> new Verdict.Consistent(),
            unmet -> new Verdict.Unrecoverable(unmet.why(), result.outputTail(), exitCode),
            unknown -> new Verdict.Inconclusive(unknown.why()));
  }
}
