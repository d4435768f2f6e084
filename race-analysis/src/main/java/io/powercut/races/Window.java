// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import com.google.common.collect.ImmutableList;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.WindowEnd;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a line from their store until a crash could not take them away any more.
 *
 * @param end what ended it
 * @param ended what did that; nothing for {@link WindowEnd#NEVER}
 * @param bytes of the line, one bit for each
 * @param locks that were held all the time: the effective lockset
 * @param unit what was stored in the first unit that the store touched
 * @param number which of its thread's stores it was, from 1
 */
record Window(
    Access store,
    WindowEnd end,
    @Nullable Access ended,
    long bytes,
    ImmutableList<HeldLock> locks,
    StoredUnit unit,
    long number) {
  /**
   * What a store put into one aligned unit of 8 bytes of a line.
   *
   * @param number of the unit in the line; -1 if values are not known
   * @param word the unit, its first byte lowest
   */
  record StoredUnit(int number, long word) {
    static final StoredUnit UNKNOWN = new StoredUnit(-1, 0);

    /** The first unit that a store touches. */
    static StoredUnit of(InFlightStore store) {
      int number = store.firstByte() / Long.BYTES;
      return new StoredUnit(number, store.applied(0, number));
    }

    /**
     * The value of bytes in a row, the first lowest.
     *
     * @param first of the line
     * @return nothing unless all of them are in this unit
     */
    OptionalLong value(int first, int size) {
      int from = first - number * Long.BYTES;
      if (number < 0 || from < 0 || from + size > Long.BYTES) {
        return OptionalLong.empty();
      }
      long value = word >>> (from * Byte.SIZE);
      return OptionalLong.of(size == Long.BYTES ? value : value & ((1L << (size * Byte.SIZE)) - 1));
    }
  }

  /**
   * @param owner the thread that stored; nothing has ended what it still holds at the end of the
   *     run
   */
  static Window of(
      OpenWindow open, WindowEnd end, @Nullable Access ended, long bytes, TracedThread owner) {
    ImmutableList<HeldLock> locks =
        ended == null
            ? locks(open.store(), owner.number(), owner.now())
            : locks(open.store(), ended.thread(), ended.moment());
    return new Window(open.store(), end, ended, bytes, locks, open.unit(), open.number());
  }

  /** For each store, so without streams, which cost more than the answer. */
  private static ImmutableList<HeldLock> locks(Access store, int thread, Moment end) {
    ImmutableList<HeldLock> atStore = store.moment().held();
    ImmutableList.Builder<HeldLock> still = ImmutableList.builder();
    int count = 0;
    for (HeldLock held : atStore) {
      if (isHeld(held, store.thread(), thread, end)) {
        still.add(held);
        count++;
      }
    }
    return count == atStore.size() ? atStore : still.build();
  }

  private static boolean isHeld(HeldLock held, int storing, int thread, Moment end) {
    for (HeldLock one : end.held()) {
      if (one.continues(held, storing, thread)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether libpmemobj never persists what it stored here, and loads it itself: then it is what it
   * knows while the pool is open, such as its notes in memory that is free.
   */
  boolean isOfPmdkAlone(Access load) {
    return end != WindowEnd.PERSISTED && store.code().isOfPmdk() && load.code().isOfPmdk();
  }

  /** The rest of it. */
  Window without(long some) {
    return new Window(store, end, ended, bytes & ~some, locks, unit, number);
  }

  /** What the load of a byte of it would show, other than that it happened; null: nothing. */
  @Nullable RaceEvidence evidence(Access load) {
    if (load.thread() == store.thread() || isOrdered(load) || isProtected(load)) {
      return null;
    }
    return isFullyOrdered(load) ? RaceEvidence.LOCKSET : RaceEvidence.REGION;
  }

  /**
   * Whether the region of a load overlaps in time with that of this window. That of a window begins
   * before its store and ends behind its end.
   */
  boolean overlaps(Access load) {
    long end = ended == null ? Long.MAX_VALUE : ended.regionEnd();
    return store.regionBegin() < load.regionEnd() && load.regionBegin() < end;
  }

  private boolean isOrdered(Access load) {
    if (load.ordinal() < store.ordinal()) {
      return load.isBefore(store);
    }
    return ended != null && ended.ordinal() < load.ordinal() && ended.isBefore(load);
  }

  private boolean isFullyOrdered(Access load) {
    if (load.ordinal() < store.ordinal()) {
      return load.isFullyBefore(store);
    }
    return ended != null && ended.ordinal() < load.ordinal() && ended.isFullyBefore(load);
  }

  private boolean isProtected(Access load) {
    for (HeldLock held : locks) {
      for (HeldLock other : load.moment().held()) {
        if (held.excludes(other)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether any load behind this window, a later one, races with it if it does with the other. Then
   * the other need not be kept: loads before were compared with it.
   */
  boolean replaces(Window other) {
    return isLike(other) && Load.areAlike(locks, other.locks);
  }

  /** Whether the two differ in their locks alone, and in time. */
  boolean isLike(Window other) {
    return bytes == other.bytes
        && end == other.end
        && store.place() == other.store.place()
        && store.thread() == other.store.thread()
        && isEndedLike(other);
  }

  private boolean isEndedLike(Window other) {
    Access mine = ended;
    Access others = other.ended;
    if (mine == null || others == null) {
      return mine == null && others == null;
    }
    return mine.place() == others.place() && mine.thread() == others.thread();
  }
}
