// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static java.util.Objects.requireNonNull;

import io.powercut.report.evidence.Judgement;
import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import java.util.Optional;

/**
 * What recovery made of the states that a missing flush or fence adds.
 *
 * @param makesDifference whether there is any such state at any failure point, judged or not
 * @param occurrences at how many occurrences of failure points that the campaign judges
 * @param consistent how many different ones recovery found consistent
 * @param unread at how many of these it reads nothing of what the flush or fence persists
 * @param spoilt how many it did not, but neither the nearest state of the program as it is: they
 *     say nothing
 * @param inconclusive how many could not be judged
 * @param isComplete whether it came to its end: by being killed, by its number of states, or by the
 *     end of the trace; not by running out of time
 * @param killed the first state that only the missing flush or fence can have broken
 */
public record MutantResult(
    boolean makesDifference,
    int occurrences,
    int consistent,
    int unread,
    int spoilt,
    int inconclusive,
    boolean isComplete,
    Optional<Catch> killed) {
  /** Requires that all is there. */
  public MutantResult {
    requireNonNull(killed, "killed is null");
  }

  /**
   * How a mutant was killed.
   *
   * @param stack of the failure point where the power was cut
   * @param instruction at the failure point
   * @param lines how many cache lines were lost
   * @param judgement what recovery said
   */
  public record Catch(CallStack stack, Instruction instruction, int lines, Judgement judgement) {
    /** Requires that all is there. */
    public Catch {
      requireNonNull(stack, "stack is null");
      requireNonNull(instruction, "instruction is null");
      requireNonNull(judgement, "judgement is null");
    }
  }
}
