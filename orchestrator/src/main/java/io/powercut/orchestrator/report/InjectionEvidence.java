package io.powercut.orchestrator.report;

import java.util.List;
import java.util.Optional;

/**
 * The power was cut, and recovery failed on what was left.
 *
 * @param verdict the verdict's kind, such as {@code UNRECOVERABLE}
 * @param failurePointId where, 16 hexadecimal digits
 * @param visit at which visit of the failure point, from 1
 * @param count at how many failure points with the same function names it was seen
 * @param instruction in front of which instruction, for example {@code clwb}
 * @param stack the target's call stack there, innermost first
 * @param seen what recovery made of the image, in words
 * @param step the recovery step that decided
 * @param output the end of that step's output
 * @param recoveryStack the stack of recovery's crash, innermost first; empty when it did not crash
 * @param acknowledged what the target had told the world, if recovery is told of it
 * @param image where the crash image is kept, relative to the run directory
 * @param state how the image differs from that of program order; nothing when it does not
 * @param second where recovery was cut as well, so that the image is what that left; nothing when
 *     it was not
 * @param changes what this image has that the image of the failure point before it had not
 * @param replay the command that shows it again
 */
public record InjectionEvidence(
    String verdict,
    String failurePointId,
    long visit,
    long count,
    String instruction,
    List<StackFrame> stack,
    String seen,
    String step,
    String output,
    List<StackFrame> recoveryStack,
    Optional<AcknowledgedOutput> acknowledged,
    Optional<String> image,
    Optional<JudgedState> state,
    Optional<SecondCut> second,
    ImageChanges changes,
    String replay)
    implements Evidence {
  /** Copies the lists. */
  public InjectionEvidence {
    stack = List.copyOf(stack);
    recoveryStack = List.copyOf(recoveryStack);
  }

  /** The same seen at one more failure point. */
  public InjectionEvidence again() {
    return new InjectionEvidence(
        verdict,
        failurePointId,
        visit,
        count + 1,
        instruction,
        stack,
        seen,
        step,
        output,
        recoveryStack,
        acknowledged,
        image,
        state,
        second,
        changes,
        replay);
  }

  /**
   * Where to look first: at the first store whose loss recovery cannot cope with, or where recovery
   * was cut, else at the failure point. Innermost first.
   */
  public List<StackFrame> place() {
    return state
        .map(one -> one.lost().get(0).store().stack())
        .or(() -> second.map(SecondCut::stack))
        .orElse(stack);
  }
}
