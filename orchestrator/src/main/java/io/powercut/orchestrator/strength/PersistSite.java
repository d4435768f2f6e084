// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static java.util.Objects.requireNonNull;

import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;

/**
 * A flush, a fence or a synchronisation, told apart by its whole call stack.
 *
 * @param number of the call stack in the trace
 * @param stack the call stack
 * @param instruction what it is; never a locked one
 * @param count how often it was executed
 * @param used how often it had something to do, by the rules of the persistency model: a store that
 *     no flush had covered, or a line or store that waited for a fence
 */
public record PersistSite(
    int number, CallStack stack, Instruction instruction, long count, long used) {
  /** Requires that all is there. */
  public PersistSite {
    requireNonNull(stack, "stack is null");
    requireNonNull(instruction, "instruction is null");
  }
}
