// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static java.util.Objects.requireNonNull;

/**
 * A leaf of the tree: a unique call stack before which the program may crash.
 *
 * @param stack the call stack, which is its identity
 * @param instruction what stands there; of the first time, should it ever differ
 * @param occurrences how often it was reached, at least 1
 * @param firstOrdinal the ordinal of the trace record at which it was first reached, from 0
 * @param visited whether a fault was injected there (or is being injected)
 */
public record FailurePoint(
    CallStack stack,
    Instruction instruction,
    long occurrences,
    long firstOrdinal,
    boolean visited) {
  /**
   * The end of a run: after its last instruction, when all is in flight that nothing persisted. It
   * is in no tree, and reached once.
   */
  public static final FailurePoint END_OF_RUN =
      new FailurePoint(
          CallStack.of(Frame.of("", 0, "the end of the run", "", 0)), Instruction.END, 1, 0, true);

  public FailurePoint {
    requireNonNull(stack, "stack is null");
    requireNonNull(instruction, "instruction is null");
    if (occurrences < 1) {
      throw new IllegalArgumentException("occurrences is not positive: " + occurrences);
    }
    if (firstOrdinal < 0) {
      throw new IllegalArgumentException("firstOrdinal is negative: " + firstOrdinal);
    }
  }

  /** The identity of this failure point. */
  public FailurePointId id() {
    return stack.id();
  }
}
