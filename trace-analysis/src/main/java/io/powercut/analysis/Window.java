// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import it.unimi.dsi.fastutil.longs.LongArrayList;

/** The parts of a trace, between marks, that are reported. */
final class Window {
  private final boolean activeFromStart;

  /** The places where it opens or closes, in turns. */
  private final LongArrayList turns = new LongArrayList();

  /**
   * @param activeFromStart false when it opens with the first begin mark
   */
  Window(boolean activeFromStart) {
    this.activeFromStart = activeFromStart;
  }

  /** Opens or closes it at a place of the trace. */
  void set(boolean isOpen, long ordinal) {
    if (isOpen != isOpen()) {
      turns.add(ordinal);
    }
  }

  /** Whether it is open where the trace is now. */
  boolean isOpen() {
    return activeFromStart == (turns.size() % 2 == 0);
  }

  /** Whether it was open at a place of the trace. */
  boolean contains(long ordinal) {
    int low = 0;
    int high = turns.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (turns.getLong(middle) <= ordinal) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return activeFromStart == (low % 2 == 0);
  }
}
