// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Instruction;
import java.util.List;

/**
 * Where the power was cut again, while recovery ran on the image that the first cut had left.
 *
 * @param failurePointId of recovery's call stack there
 * @param occurrence which occurrence of it in that step, from 1
 * @param step the recovery step that was cut; the steps before it had run
 * @param instruction before which instruction, for example {@code clwb}
 * @param stack recovery's call stack there, innermost first
 */
public record RecoveryCrash(
    FailurePointId failurePointId,
    @JsonAlias("visit") long occurrence,
    String step,
    String instruction,
    List<StackFrame> stack) {
  /** Copies the list. Earlier versions cut first occurrences, and wrote no {@code occurrence}. */
  public RecoveryCrash {
    occurrence = Math.max(1, occurrence);
    stack = List.copyOf(stack);
  }

  /** Where it was. */
  public CutPlace place() {
    return new CutPlace(failurePointId, occurrence);
  }

  /** Whether the step had ended, and what it never persisted was lost. */
  @JsonIgnore
  public boolean isAtEnd() {
    return instruction.equals(Instruction.END.label());
  }

  /** In a few words, without the step. */
  public String inWords() {
    return isAtEnd()
        ? "at the end of recovery"
        : "in recovery, before " + Instruction.inWords(instruction) + occurrenceInWords();
  }

  /** Empty at the first. */
  public String occurrenceInWords() {
    return occurrence > 1 ? " at occurrence " + occurrence : "";
  }
}
