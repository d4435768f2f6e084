// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.TraceEvent;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/**
 * The time in which the target has one thread. What is over by then happens before all that others
 * do, so it cannot race: only what is still in flight when a second thread begins has to be looked
 * at. Most programs have one thread all the time.
 */
final class SoleThread {
  /** Marks are few, or else it is not worth while to keep them. */
  private static final int MOST_SWITCHES = 10_000;

  private static final int UNKNOWN = 0;

  private final boolean wasActiveFirst;

  /** The ordinals of marks before which it was active and behind which it was not, or reversely. */
  private final LongArrayList switches = new LongArrayList();

  private int number = UNKNOWN;
  private boolean isActive;

  /**
   * @param isActive whether what comes is reported
   */
  SoleThread(boolean isActive) {
    this.wasActiveFirst = isActive;
    this.isActive = isActive;
  }

  /** Whether that thread is the only one so far. */
  boolean is(int thread) {
    number = number == UNKNOWN ? thread : number;
    return number == thread;
  }

  /** Whether it is still alone when that has happened. */
  boolean isAloneBehind(TraceEvent event) {
    if (event instanceof TraceEvent.ThreadStarted started) {
      return started.creator() == 0 && is(started.started());
    }
    return is(event.thread()) && switches.size() < MOST_SWITCHES;
  }

  /** From a place of the trace on, what comes is reported, or is not. */
  void setActive(boolean active, long ordinal) {
    if (active != isActive) {
      switches.add(ordinal);
    }
    isActive = active;
  }

  /** Whether what happened at a place of the trace is reported. */
  boolean wasActive(long ordinal) {
    int count = switches.size();
    while (count > 0 && switches.getLong(count - 1) > ordinal) {
      count--;
    }
    return wasActiveFirst == (count % 2 == 0);
  }
}
