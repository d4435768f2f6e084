// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.server.ServerOutcome;
import io.powercut.oracle.server.StopPlan;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.process.Success;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerJudgeTest {
  private static final StopPlan BY_TERM = new StopPlan.BySignal(Signal.TERM, Duration.ofSeconds(1));
  private static final StopPlan BY_COMMAND =
      new StopPlan.ByCommand(CommandSpec.command("true").build(), Duration.ofSeconds(1));

  private static CommandResult ended(Ending ending) {
    return new CommandResult(
        ending, "", Optional.empty(), 0, Duration.ZERO, Duration.ZERO, DataSize.ZERO, 0);
  }

  private static Verdict.Kind judge(StopPlan stop, ServerOutcome outcome) {
    return outcome.accept(new ServerJudge(Success.EXIT_ZERO, stop)).kind();
  }

  @Test
  void serverThatEndsByTheSignalThatStopsItIsConsistentOnlyIfItWasSent() {
    CommandResult byTerm = ended(new Ending.Signalled(Signal.TERM));

    assertThat(judge(BY_TERM, new ServerOutcome.Completed(byTerm, Optional.empty())))
        .isEqualTo(Verdict.Kind.CONSISTENT);
    assertThat(judge(BY_COMMAND, new ServerOutcome.Completed(byTerm, Optional.empty())))
        .isEqualTo(Verdict.Kind.CRASHED);
    assertThat(judge(BY_TERM, new ServerOutcome.EndedUnasked(byTerm, Optional.empty())))
        .isEqualTo(Verdict.Kind.CRASHED);
    assertThat(judge(BY_TERM, new ServerOutcome.EndedDuringClient(byTerm, byTerm)))
        .isEqualTo(Verdict.Kind.CRASHED);
  }

  @Test
  void anotherSignalThanTheOneSentIsACrash() {
    CommandResult byAbort = ended(new Ending.Signalled(Signal.parse("ABRT")));

    assertThat(judge(BY_TERM, new ServerOutcome.Completed(byAbort, Optional.empty())))
        .isEqualTo(Verdict.Kind.CRASHED);
  }
}
