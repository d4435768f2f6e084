package io.powercut.analysis;

import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import java.util.Arrays;

/** What a thread has done since its last fence. */
final class ThreadState {
  private static final long NO_EVENT = -1;
  private static final int SMALL = 64;

  private final int number;
  private final Lines lines;
  private long unfinishedStore = NO_EVENT;
  private boolean stored;
  private boolean needsFence;
  private boolean flushedInOrder;
  private int[] waiting = new int[SMALL];
  private int waitingCount;

  /** Where the list is looked through for what does not wait any more. */
  private int limit = SMALL;

  ThreadState(int number, Lines lines) {
    this.number = number;
    this.lines = lines;
  }

  /** As the trace numbers it. */
  int number() {
    return number;
  }

  /** The store to which a record belongs, named after its first record. */
  long store(long ordinal, int flags) {
    long event = unfinishedStore == NO_EVENT ? ordinal : unfinishedStore;
    unfinishedStore = (flags & StoreFlags.MORE) != 0 ? event : NO_EVENT;
    stored = true;
    needsFence |= (flags & StoreFlags.NON_TEMPORAL) != 0;
    return event;
  }

  /** The thread flushed persistent memory. */
  void flush(FlushKind kind) {
    if (kind == FlushKind.CLFLUSH) {
      flushedInOrder = true;
    } else {
      needsFence = true;
    }
  }

  /** Whether it stored to persistent memory since its last fence. */
  boolean stored() {
    return stored;
  }

  /**
   * Whether it made a flush of persistent memory or a store past the cache since its last fence
   * that persists nothing without another one.
   */
  boolean needsFence() {
    return needsFence;
  }

  /** Whether it flushed persistent memory by {@code clflush} since its last fence. */
  boolean flushedInOrder() {
    return flushedInOrder;
  }

  /** Notes that a line waits for this thread's fence. */
  void addWaiting(int slot) {
    if (waitingCount > 0 && waiting[waitingCount - 1] == slot) {
      return;
    }
    if (waitingCount == limit) {
      keepWaiting();
      limit = Math.max(SMALL, 2 * waitingCount);
      waiting = Arrays.copyOf(waiting, limit);
    }
    waiting[waitingCount++] = slot;
  }

  /** A line can be in the list many times, when it is stored to and flushed again and again. */
  private void keepWaiting() {
    Arrays.sort(waiting, 0, waitingCount);
    int kept = 0;
    for (int index = 0; index < waitingCount; index++) {
      boolean isNew = kept == 0 || waiting[kept - 1] != waiting[index];
      if (isNew && lines.longestWaiting(waiting[index], number) != StoredBytes.NONE) {
        waiting[kept++] = waiting[index];
      }
    }
    waitingCount = kept;
  }

  /** How many slots may wait; some do not any more. */
  int waitingCount() {
    return waitingCount;
  }

  int waiting(int index) {
    return waiting[index];
  }

  /** The thread's fence is over. */
  void fence() {
    stored = false;
    needsFence = false;
    flushedInOrder = false;
    waitingCount = 0;
    if (limit > SMALL * SMALL) {
      limit = SMALL;
      waiting = new int[SMALL];
    }
  }
}
