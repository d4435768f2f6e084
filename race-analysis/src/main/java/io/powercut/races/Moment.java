// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import com.google.common.collect.ImmutableList;

/**
 * A thread between two of its synchronisations.
 *
 * @param order what happened before, if locks do not order
 * @param fullOrder the same, if they do
 * @param held the locks that it holds
 * @param acquired the ordinal of its last acquire, where the regions of what it does now begin; -1
 *     if there was none
 * @param untilRelease where they end
 */
record Moment(
    int thread,
    VectorClock order,
    VectorClock fullOrder,
    ImmutableList<HeldLock> held,
    long acquired,
    UntilRelease untilRelease) {
  /** The time up to a thread's next release. */
  static final class UntilRelease {
    private long ordinal = Long.MAX_VALUE;

    /** The ordinal of that release; beyond all others while there is none. */
    long ordinal() {
      return ordinal;
    }

    void end(long released) {
      ordinal = released;
    }
  }
}
