// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

/**
 * A store that a program-order image has too early: it was in flight, and recovery succeeds on the
 * same image without it.
 *
 * @param inWords what was stored to, and where in the user's code
 * @param store what was stored
 */
public record EarlyStore(String inWords, ImageStore store) {
  /** The same with the bytes, for where another store has the same words. */
  EarlyStore withPlace() {
    return new EarlyStore(inWords + store.place(), store);
  }
}
