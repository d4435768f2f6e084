// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import static java.util.Objects.requireNonNull;

import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;

/**
 * A place in the program that takes part in a pattern.
 *
 * @param stack how it was reached; the instruction alone where the trace has no stack
 */
public record Involved(Role role, Instruction instruction, CallStack stack) {
  public Involved {
    requireNonNull(role, "role is null");
    requireNonNull(instruction, "instruction is null");
    requireNonNull(stack, "stack is null");
  }
}
