// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static java.util.Objects.requireNonNull;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;

/**
 * All flushes, or all fences, of one call stack, taken away.
 *
 * @param id of the call stack, as that of a failure point there
 * @param instruction what was taken away
 * @param function the target's own function that it belongs to
 * @param stack its call stack, innermost first
 * @param executed how often it was executed
 * @param needed how often it had something to do
 * @param outcome what became of it
 * @param occurrences at how many occurrences of failure points it made states possible
 * @param states how many of them recovery found consistent
 * @param spoilt how many more say nothing, since recovery fails without the change as well
 * @param inconclusive how many more could not be judged
 * @param killed how it was killed
 */
public record Mutant(
    FailurePointId id,
    String instruction,
    String function,
    List<StackFrame> stack,
    long executed,
    long needed,
    Outcome outcome,
    int occurrences,
    int states,
    int spoilt,
    int inconclusive,
    Optional<Catch> killed) {
  /** Copies the list. */
  public Mutant {
    requireNonNull(outcome, "outcome is null");
    stack = List.copyOf(stack);
    requireNonNull(killed, "killed is null");
  }

  /**
   * Where a mutant was killed.
   *
   * @param failurePoint where the power was cut
   * @param instruction in front of which that is
   * @param stack its call stack, innermost first
   * @param lostLines how many cache lines were lost
   * @param verdict of recovery
   * @param seen the verdict in words
   * @param output the end of what recovery printed
   */
  public record Catch(
      FailurePointId failurePoint,
      String instruction,
      List<StackFrame> stack,
      int lostLines,
      Verdict.Kind verdict,
      String seen,
      String output) {
    /** Copies the list. */
    public Catch {
      stack = List.copyOf(stack);
      requireNonNull(verdict, "verdict is null");
    }
  }
}
