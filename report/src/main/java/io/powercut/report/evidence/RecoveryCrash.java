// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Instruction;
import java.util.List;

/**
 * Where the power was cut again, while recovery ran on the image that the first cut had left.
 *
 * @param failurePointId of recovery's call stack there
 * @param step the recovery step that was cut; the steps before it had run
 * @param instruction before which instruction, for example {@code clwb}
 * @param stack recovery's call stack there, innermost first
 */
public record RecoveryCrash(
    FailurePointId failurePointId, String step, String instruction, List<StackFrame> stack) {
  /** Copies the list. */
  public RecoveryCrash {
    stack = List.copyOf(stack);
  }

  /** Whether the step had ended, and what it never persisted was lost. */
  @JsonIgnore
  public boolean isAtEnd() {
    return instruction.equals(Instruction.END.label());
  }

  /** In a few words, without the step. */
  public String inWords() {
    return isAtEnd() ? "at the end of recovery" : "in recovery, before " + instruction;
  }
}
