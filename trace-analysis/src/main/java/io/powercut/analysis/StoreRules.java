package io.powercut.analysis;

import io.powercut.analysis.StoredBytes.State;
import io.powercut.persistency.PersistencyDomain;

/** What a store does to its lines, and dirty overwrites. */
final class StoreRules {
  private final StoredBytes entries;
  private final Lines lines;
  private final Tally tally;

  /** With eADR a plain store is persistent at once; only those past the cache wait for a fence. */
  private final boolean cacheIsPersistent;

  StoreRules(StoredBytes entries, Lines lines, Tally tally, PersistencyDomain domain) {
    this.entries = entries;
    this.lines = lines;
    this.tally = tally;
    this.cacheIsPersistent = domain == PersistencyDomain.EADR;
  }

  /**
   * A record of a store.
   *
   * @param event the whole store, as the ordinal of its first record
   * @param isPiece whether the store has more than this record
   * @param end of the bytes that are in the file, exclusive, as a location
   */
  void store(
      ThreadState thread,
      long event,
      boolean isPiece,
      boolean nonTemporal,
      int place,
      long location,
      long end,
      boolean reported) {
    long from = location;
    while (from < end) {
      long line = Lines.at(from);
      long start = Lines.location(line);
      long to = Math.min(end, start + Lines.BYTES);
      long mask = Lines.mask((int) (from - start), (int) (to - start));
      if (nonTemporal || !cacheIsPersistent) {
        storeInLine(
            thread.number(), event, isPiece, nonTemporal, place, line, mask, from, reported);
      } else {
        forget(line, mask);
      }
      if (nonTemporal) {
        thread.addWaiting(lines.slot(line));
      }
      from = to;
    }
  }

  private void forget(long line, long mask) {
    int slot = lines.slot(line);
    if (slot != Lines.NONE) {
      lines.forgetBytes(slot, mask);
    }
  }

  private void storeInLine(
      int thread,
      long event,
      boolean isPiece,
      boolean nonTemporal,
      int place,
      long line,
      long mask,
      long location,
      boolean reported) {
    State state = nonTemporal ? State.NON_TEMPORAL : State.DIRTY;
    int slot = lines.slotForStore(line);
    int same = StoredBytes.NONE;
    boolean overlaps = false;
    for (int entry = lines.first(slot); entry != StoredBytes.NONE; entry = entries.next(entry)) {
      if ((entries.mask(entry) & mask) != 0) {
        overlaps = true;
        if (reported && !cacheIsPersistent && entries.event(entry) != event) {
          tally.add(Reason.OVERWRITTEN, place, entries.place(entry), event, location);
        }
      }
      if (entries.takes(entry, state, place, thread, reported)) {
        same = entry;
      }
    }
    if (same != StoredBytes.NONE && !isPiece) {
      entries.setMask(same, entries.mask(same) | mask);
      if (overlaps) {
        lines.overwriteOthers(slot, mask, same);
      }
      return;
    }
    if (overlaps) {
      lines.overwriteOthers(slot, mask, StoredBytes.NONE);
    }
    lines.add(slot, state, mask, place, thread, event, reported);
  }
}
