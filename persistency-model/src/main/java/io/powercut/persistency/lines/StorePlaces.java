// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

/** What counts as one place in the code where it is asked which places have stores in flight. */
@FunctionalInterface
public interface StorePlaces {
  /** Each instruction is one. */
  StorePlaces INSTRUCTIONS = (stack, site) -> site;

  /**
   * A number for the place of a store.
   *
   * @param stack the number of its call stack in the trace; 0 when there is none
   * @param site the number of its instruction
   * @return a small number that is the same each time, or -1 for a place that is not known
   */
  int of(int stack, int site);
}
