package io.powercut.analysis;

import io.powercut.analysis.StoredBytes.State;
import io.powercut.trace.Location;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The cache lines in which something is not persisted. A line has a slot as long as that is so: a
 * small number, whose list holds its entries, the newest first.
 */
final class Lines {
  /** No slot. */
  static final int NONE = -1;

  static final int BYTES = 64;
  private static final int SHIFT = 6;

  /** No line: file 0 is volatile memory. */
  private static final long FREE = 0;

  private final Long2IntOpenHashMap slotOfLine = new Long2IntOpenHashMap();
  private final StoredBytes entries;
  private long[] lineOfSlot = new long[1024];

  /** The first entry of a slot in use, the next free slot of a free one. */
  private int[] heads = new int[1024];

  private int used;
  private int firstFree = NONE;

  /** Most stores go to the line of the store before. */
  private int latest;

  Lines(StoredBytes entries) {
    this.entries = entries;
    slotOfLine.defaultReturnValue(NONE);
  }

  /** The number of the line at a location, the same for all its bytes. */
  static long at(long location) {
    return location >>> SHIFT;
  }

  /** Where a line begins. */
  static long location(long line) {
    return line << SHIFT;
  }

  /** The bits of the bytes of a line from the first up to the second offset in it. */
  static long mask(int from, int to) {
    return -1L >>> (BYTES - (to - from)) << from;
  }

  /** How many lines have something that is not persisted. */
  int count() {
    return slotOfLine.size();
  }

  /** The slot of a line, or {@link #NONE}. */
  int slot(long line) {
    if (lineOfSlot[latest] == line) {
      return latest;
    }
    int slot = slotOfLine.get(line);
    if (slot != NONE) {
      latest = slot;
    }
    return slot;
  }

  /** The slot of a line, a new one if need be: something must be added to it. */
  int slotForStore(long line) {
    int known = slot(line);
    if (known != NONE) {
      return known;
    }
    int slot = firstFree;
    if (slot != NONE) {
      firstFree = heads[slot];
    } else {
      if (used == heads.length) {
        heads = Arrays.copyOf(heads, used + (used >> 1));
        lineOfSlot = Arrays.copyOf(lineOfSlot, heads.length);
      }
      slot = used++;
    }
    lineOfSlot[slot] = line;
    heads[slot] = StoredBytes.NONE;
    slotOfLine.put(line, slot);
    latest = slot;
    return slot;
  }

  /** The line of a slot in use. */
  long line(int slot) {
    return lineOfSlot[slot];
  }

  /** The newest entry of a slot; none in a slot that is free. */
  int first(int slot) {
    return lineOfSlot[slot] == FREE ? StoredBytes.NONE : heads[slot];
  }

  /** Adds bytes that no entry of the slot has. */
  void add(int slot, State state, long mask, int place, int thread, long event, boolean reported) {
    heads[slot] = entries.add(state, mask, place, thread, event, reported, heads[slot]);
  }

  /**
   * Takes bytes off all entries of a slot but one, if that is any. The slot keeps its line even if
   * nothing is left.
   */
  void overwriteOthers(int slot, long mask, int spared) {
    removeBytes(slot, mask, spared, Long.MAX_VALUE);
  }

  private void removeBytes(int slot, long mask, int spared, long event) {
    int before = StoredBytes.NONE;
    int entry = heads[slot];
    while (entry != StoredBytes.NONE) {
      int next = entries.next(entry);
      boolean stays = entry == spared || entries.event(entry) >= event;
      long left = stays ? entries.mask(entry) : entries.mask(entry) & ~mask;
      if (left == 0) {
        unlink(slot, before, entry);
      } else {
        entries.setMask(entry, left);
        before = entry;
      }
      entry = next;
    }
  }

  /** The entry that has waited longest for a fence of the thread, or none. */
  int longestWaiting(int slot, int thread) {
    int longest = StoredBytes.NONE;
    for (int entry = first(slot); entry != StoredBytes.NONE; entry = entries.next(entry)) {
      if (entries.waitsForFenceOf(entry, thread)
          && (longest == StoredBytes.NONE
              || entries.waitsSince(entry) < entries.waitsSince(longest))) {
        longest = entry;
      }
    }
    return longest;
  }

  private void unlink(int slot, int before, int entry) {
    if (before == StoredBytes.NONE) {
      heads[slot] = entries.next(entry);
    } else {
      entries.setNext(before, entries.next(entry));
    }
    entries.free(entry);
  }

  /** A fence of a thread: what waits for it is persisted. */
  void fence(int slot, int thread) {
    int before = StoredBytes.NONE;
    int entry = first(slot);
    while (entry != StoredBytes.NONE) {
      int next = entries.next(entry);
      if (entries.waitsForFenceOf(entry, thread)) {
        unlink(slot, before, entry);
      } else {
        before = entry;
      }
      entry = next;
    }
    releaseIfEmpty(slot);
  }

  /** The whole cache line is in memory: all is persisted that did not go past the cache. */
  void writeBack(int slot) {
    int before = StoredBytes.NONE;
    int entry = heads[slot];
    while (entry != StoredBytes.NONE) {
      int next = entries.next(entry);
      if (entries.state(entry) == State.NON_TEMPORAL) {
        before = entry;
      } else {
        unlink(slot, before, entry);
      }
      entry = next;
    }
    releaseIfEmpty(slot);
  }

  private void releaseIfEmpty(int slot) {
    if (lineOfSlot[slot] != FREE && heads[slot] == StoredBytes.NONE) {
      slotOfLine.remove(lineOfSlot[slot]);
      lineOfSlot[slot] = FREE;
      heads[slot] = firstFree;
      firstFree = slot;
    }
  }

  /**
   * Forgets the bytes of a range of a file.
   *
   * @param to exclusive; at most 2 to the power of 48
   */
  void forget(int file, long from, long to) {
    forgetBefore(Long.MAX_VALUE, file, from, to);
  }

  /**
   * Forgets of the bytes of a range of a file those that were stored in front of an event.
   *
   * @param to exclusive; at most 2 to the power of 48
   */
  void forgetBefore(long event, int file, long from, long to) {
    if (from >= to) {
      return;
    }
    long firstLine = at(Location.of(file, from));
    long lastLine = at(Location.of(file, to - 1));
    if (lastLine - firstLine < used) {
      for (long line = firstLine; line <= lastLine; line++) {
        forgetIn(event, slotOfLine.get(line), from, to);
      }
    } else {
      for (int slot = 0; slot < used; slot++) {
        if (lineOfSlot[slot] >= firstLine && lineOfSlot[slot] <= lastLine) {
          forgetIn(event, slot, from, to);
        }
      }
    }
  }

  private void forgetIn(long event, int slot, long from, long to) {
    if (slot != NONE) {
      long start = Location.offset(location(lineOfSlot[slot]));
      int begin = (int) Math.max(from - start, 0);
      int end = (int) Math.min(to - start, BYTES);
      removeBytes(slot, mask(begin, end), StoredBytes.NONE, event);
      releaseIfEmpty(slot);
    }
  }

  /** Forgets bytes of a line. */
  void forgetBytes(int slot, long mask) {
    overwriteOthers(slot, mask, StoredBytes.NONE);
    releaseIfEmpty(slot);
  }

  /** Hands out all slots in use. */
  void forEachSlot(IntConsumer receiver) {
    for (int slot = 0; slot < used; slot++) {
      if (lineOfSlot[slot] != FREE) {
        receiver.accept(slot);
      }
    }
  }
}
