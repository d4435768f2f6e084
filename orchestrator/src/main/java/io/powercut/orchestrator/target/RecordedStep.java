// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Supervisor;
import io.powercut.recorder.RecorderOptions;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A step of recovery under the recorder. */
public final class RecordedStep {
  /** How much longer than without the recorder a step may take. */
  private static final int PATIENCE = 30;

  private RecordedStep() {}

  /** Runs it to its end; the client of a server runs without the recorder. */
  public static CommandOutcome run(
      Supervisor supervisor, RunContext context, RecoveryStep step, RecorderOptions options) {
    Optional<ServerPlan> plan = step.server().map(each -> each.withMorePatience(PATIENCE));
    return CommandOutcome.of(supervisor, of(context, step, options), plan, step.success());
  }

  /**
   * The command that runs it. The recorder needs memory of its own, so a step for which less is
   * allowed than for the target gets as much as that.
   */
  private static CommandSpec of(RunContext context, RecoveryStep step, RecorderOptions options) {
    CommandSpec plain = step.command();
    DataSize memory = context.campaign().limits().memory();
    return context
        .recorder()
        .record(
            plain.toBuilder()
                .timeLimit(plain.timeLimit().multipliedBy(PATIENCE))
                .memoryLimit(Collections.max(List.of(memory, plain.memoryLimit().orElse(memory))))
                .build(),
            options);
  }
}
