// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

/**
 * The sets of stores that follow from those seen so far: a set is a number, and what two of them do
 * not have in common is their exclusive or. A basis of the vector space over GF(2), as Gauss makes
 * it.
 */
final class Span {
  /** By the highest bit of each. */
  private final long[] basis = new long[Long.SIZE];

  /**
   * Adds a set.
   *
   * @return whether it did not follow from the others; never any more after 64 that did not
   */
  boolean add(long set) {
    long rest = set;
    while (rest != 0) {
      int highest = Long.SIZE - 1 - Long.numberOfLeadingZeros(rest);
      if (basis[highest] == 0) {
        basis[highest] = rest;
        return true;
      }
      rest ^= basis[highest];
    }
    return false;
  }
}
