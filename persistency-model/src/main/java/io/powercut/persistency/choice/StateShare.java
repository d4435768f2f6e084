// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

/** How much of a run's states a place of the trace gets. */
public enum StateShare {
  /**
   * A quarter of the usual share, and no state beyond it: a library opens its files here, which is
   * the same in every run.
   */
  START_UP,
  /** What the campaign says. */
  USUAL,
  /** The same, and no state beyond it: at an occurrence for which there happened to be time. */
  FURTHER,
  /**
   * One state as long as some are left for that in the run: at the last occurrence of a failure
   * point that had the same stores in flight before.
   */
  LAST,
  /**
   * Enough for each place in the code to be tried: at the end of the run, where all is in flight
   * that nothing persists.
   */
  END
}
