package io.powercut.analysis;

import java.util.Arrays;

/**
 * A pool of entries, each for bytes of one cache line that one place stored and that are not
 * persisted yet. The bytes of a line's entries do not overlap, so a line has at most 64. Arrays of
 * numbers: nothing is allocated while it does not grow.
 */
final class StoredBytes {
  /** What the bytes need to be persisted. */
  enum State {
    /** In a cache: a flush, then a fence. */
    DIRTY(0),
    /** A fence of the thread that flushed. */
    FLUSHED(1),
    /** Stored past the cache: a fence of the thread that stored. */
    NON_TEMPORAL(2);

    private final int code;

    State(int code) {
      this.code = code;
    }
  }

  static final int NONE = -1;

  private static final State[] STATES = State.values();
  private static final int STATE_MASK = 3;
  private static final int REPORTED = 4;

  private long[] masks = new long[0];
  private long[] events = new long[0];
  private long[] waitsSince = new long[0];
  private int[] places = new int[0];
  private int[] waitsFor = new int[0];
  private int[] threads = new int[0];
  private int[] nexts = new int[0];
  private byte[] flags = new byte[0];
  private int firstFree = NONE;
  private int used;
  private int inUse;

  /** How many entries there are. */
  int count() {
    return inUse;
  }

  /**
   * Adds an entry.
   *
   * @param event the store, as the ordinal of its first record
   * @param reported whether the store lies in the window of what is reported
   */
  int add(State state, long mask, int place, int thread, long event, boolean reported, int next) {
    int entry = take();
    masks[entry] = mask;
    events[entry] = event;
    places[entry] = place;
    threads[entry] = thread;
    nexts[entry] = next;
    flags[entry] = (byte) (state.code | (reported ? REPORTED : 0));
    waitsSince[entry] = event;
    waitsFor[entry] = place;
    return entry;
  }

  private int take() {
    inUse++;
    if (firstFree != NONE) {
      int entry = firstFree;
      firstFree = nexts[entry];
      return entry;
    }
    if (used == masks.length) {
      grow(Math.max(1024, used + (used >> 1)));
    }
    return used++;
  }

  private void grow(int size) {
    masks = Arrays.copyOf(masks, size);
    events = Arrays.copyOf(events, size);
    waitsSince = Arrays.copyOf(waitsSince, size);
    places = Arrays.copyOf(places, size);
    waitsFor = Arrays.copyOf(waitsFor, size);
    threads = Arrays.copyOf(threads, size);
    nexts = Arrays.copyOf(nexts, size);
    flags = Arrays.copyOf(flags, size);
  }

  /** Gives an entry back. */
  void free(int entry) {
    nexts[entry] = firstFree;
    firstFree = entry;
    inUse--;
  }

  /** The next entry of the same line, {@link #NONE} after the last. */
  int next(int entry) {
    return nexts[entry];
  }

  void setNext(int entry, int next) {
    nexts[entry] = next;
  }

  /** One bit for each byte of the line, the lowest for the first. */
  long mask(int entry) {
    return masks[entry];
  }

  void setMask(int entry, long mask) {
    masks[entry] = mask;
  }

  /** The store with which the entry began. */
  long event(int entry) {
    return events[entry];
  }

  /** Of the store. */
  int place(int entry) {
    return places[entry];
  }

  /** The thread whose fence is waited for. Of a dirty entry: the thread that stored. */
  int thread(int entry) {
    return threads[entry];
  }

  State state(int entry) {
    return STATES[flags[entry] & STATE_MASK];
  }

  boolean isReported(int entry) {
    return (flags[entry] & REPORTED) != 0;
  }

  /** The flush or non-temporal store because of which a fence is waited for. */
  long waitsSince(int entry) {
    return waitsSince[entry];
  }

  /** Its place. */
  int waitsFor(int entry) {
    return waitsFor[entry];
  }

  /** A dirty entry was flushed. */
  void flush(int entry, int place, int thread, long event) {
    flags[entry] = (byte) ((flags[entry] & ~STATE_MASK) | State.FLUSHED.code);
    threads[entry] = thread;
    waitsSince[entry] = event;
    waitsFor[entry] = place;
  }

  /** Whether the entry waits for a fence of that thread. */
  boolean waitsForFenceOf(int entry, int thread) {
    return threads[entry] == thread && (flags[entry] & STATE_MASK) != State.DIRTY.code;
  }

  /** Whether another store can be put into the same entry. */
  boolean takes(int entry, State state, int place, int thread, boolean reported) {
    return places[entry] == place
        && flags[entry] == (byte) (state.code | (reported ? REPORTED : 0))
        && (state == State.DIRTY || threads[entry] == thread);
  }
}
