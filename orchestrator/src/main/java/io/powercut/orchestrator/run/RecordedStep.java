package io.powercut.orchestrator.run;

import io.powercut.instrumentation.RecorderOptions;
import io.powercut.oracle.RecoveryStep;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import java.util.Collections;
import java.util.List;

/** A step of recovery under the recorder. */
final class RecordedStep {
  /** How much longer than without the recorder a step may take. */
  private static final int PATIENCE = 30;

  private RecordedStep() {}

  /**
   * The command that runs it. The recorder needs memory of its own, so a step for which less is
   * allowed than for the target gets as much as that.
   */
  static CommandSpec of(RunContext context, RecoveryStep step, RecorderOptions options) {
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
