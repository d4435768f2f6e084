// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.exit.ExitCode;
import io.powercut.report.evidence.StackFrame;
import java.util.List;

/**
 * How strong a campaign's oracle is.
 *
 * @param campaign its name
 * @param failurePoints how many failure points its target has
 * @param mostStates how many states were judged of each mutant at most
 * @param all the score of the whole target
 * @param functions the score of each function, the lowest first
 * @param bugs all mutant, in the order in which the target came by them
 * @param redundant flushes and fences that never had anything to do: no mutant is made of them
 * @param excluded how many more flushes and fences are in functions that the campaign excludes
 * @param notTried how many more were not asked for
 * @param images how many different images recovery judged
 * @param seconds how long all took
 */
public record StrengthResult(
    String campaign,
    int failurePoints,
    int mostStates,
    FunctionScore all,
    List<FunctionScore> functions,
    List<Mutant> bugs,
    List<Redundant> redundant,
    int excluded,
    int notTried,
    long images,
    double seconds) {
  /** Copies the lists. */
  public StrengthResult {
    requireNonNull(all, "all is null");
    functions = List.copyOf(functions);
    bugs = List.copyOf(bugs);
    redundant = List.copyOf(redundant);
  }

  /**
   * A flush or fence that never had anything to do.
   *
   * @param instruction what it is
   * @param function the target's own function that it belongs to
   * @param stack its call stack, innermost first
   * @param executed how often it was executed
   */
  public record Redundant(
      String instruction, String function, List<StackFrame> stack, long executed) {
    /** Copies the list. */
    public Redundant {
      stack = List.copyOf(stack);
    }
  }

  /** The mutant with an outcome. */
  List<Mutant> with(Outcome outcome) {
    return bugs.stream().filter(bug -> bug.outcome() == outcome).toList();
  }

  /** Whether all mutant could be judged. */
  @JsonIgnore
  public ExitCode exitCode() {
    return with(Outcome.NOT_JUDGED).isEmpty() ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
  }
}
