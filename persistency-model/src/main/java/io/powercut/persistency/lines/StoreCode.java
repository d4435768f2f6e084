// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

/**
 * The code that made a store: its call stack, or its instruction where stacks were not collected.
 *
 * @param stack the number of the call stack in the trace; 0 when there is none
 * @param site the number of the instruction; 0 when there is a stack
 */
public record StoreCode(int stack, int site) {
  /** The code with this stack, or, when that is 0, at this site. */
  public static StoreCode of(int stack, int site) {
    return stack != 0 ? new StoreCode(stack, 0) : new StoreCode(0, site);
  }
}
