package io.powercut.orchestrator.report;

import java.util.List;
import java.util.Optional;

/**
 * Something found, whatever found it. Equal findings (same {@code fingerprint}) are one finding
 * with a count.
 *
 * @param kind what it is: a verdict's kind such as {@code UNRECOVERABLE}
 * @param severity how much it claims
 * @param fingerprint the same for the same bug after a rebuild: made of function names and kind
 * @param failurePointId the first failure point at which it was seen, 16 hexadecimal digits
 * @param count at how many failure points it was seen, at least 1
 * @param instruction the instruction in front of which the power was cut, for example {@code clwb}
 * @param stack the target's call stack at the failure point, innermost first
 * @param seen what recovery made of the image, in words
 * @param recovery what recovery said, the end of its output
 * @param recoveryStack the stack of recovery's crash, innermost first; empty when it did not crash
 * @param image where the crash image is kept, relative to the run directory
 * @param replay the command that replays it
 */
public record Finding(
    String kind,
    Severity severity,
    String fingerprint,
    String failurePointId,
    int count,
    String instruction,
    List<StackFrame> stack,
    String seen,
    String recovery,
    List<StackFrame> recoveryStack,
    Optional<String> image,
    String replay) {
  /** Copies the lists. */
  public Finding {
    stack = List.copyOf(stack);
    recoveryStack = List.copyOf(recoveryStack);
  }

  /** This finding seen once more. */
  public Finding again() {
    return new Finding(
        kind,
        severity,
        fingerprint,
        failurePointId,
        count + 1,
        instruction,
        stack,
        seen,
        recovery,
        recoveryStack,
        image,
        replay);
  }
}
