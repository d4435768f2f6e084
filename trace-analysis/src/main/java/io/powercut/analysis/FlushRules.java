package io.powercut.analysis;

import io.powercut.analysis.StoredBytes.State;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;

/** What a flush does to its line, redundant flushes, and flushes of several stores. */
final class FlushRules {
  private final StoredBytes entries;
  private final Lines lines;
  private final FlushedLines flushed;
  private final Tally tally;
  private final boolean cacheIsPersistent;

  /** What {@link #examine} found in the line. */
  private int newestDirty;

  private int oldestDirty;
  private boolean onlyNonTemporal;

  FlushRules(
      StoredBytes entries,
      Lines lines,
      FlushedLines flushed,
      Tally tally,
      PersistencyDomain domain) {
    this.entries = entries;
    this.lines = lines;
    this.flushed = flushed;
    this.tally = tally;
    this.cacheIsPersistent = domain == PersistencyDomain.EADR;
  }

  /** A flush of a line of volatile or persistent memory. */
  void flush(
      ThreadState thread, FlushKind kind, int place, long event, long location, boolean reported) {
    if (Location.isVolatile(location)) {
      report(Reason.VOLATILE, place, event, location, reported);
      return;
    }
    if (cacheIsPersistent) {
      report(Reason.CACHE_IS_PERSISTENT, place, event, location, reported);
      return;
    }
    long line = Lines.at(location);
    int slot = lines.slot(line);
    examine(slot);
    if (newestDirty == StoredBytes.NONE) {
      flushInVain(place, event, line, location, reported);
    } else {
      reportSeveralStores(place, event, location, reported);
      flushed.flush(line, place);
    }
    if (slot != Lines.NONE) {
      change(thread, kind, slot, place, event);
    }
  }

  private void report(Reason reason, int place, long event, long location, boolean reported) {
    if (reported) {
      tally.add(reason, place, event, location);
    }
  }

  private void examine(int slot) {
    newestDirty = StoredBytes.NONE;
    oldestDirty = StoredBytes.NONE;
    onlyNonTemporal = slot != Lines.NONE;
    if (slot == Lines.NONE) {
      return;
    }
    for (int entry = lines.first(slot); entry != StoredBytes.NONE; entry = entries.next(entry)) {
      onlyNonTemporal &= entries.state(entry) == State.NON_TEMPORAL;
      if (entries.state(entry) == State.DIRTY) {
        newestDirty = newestDirty == StoredBytes.NONE ? entry : newestDirty;
        oldestDirty = entry;
      }
    }
  }

  private void flushInVain(int place, long event, long line, long location, boolean reported) {
    if (reported) {
      int earlier = flushed.latestFlush(line);
      if (onlyNonTemporal) {
        tally.add(Reason.ONLY_NON_TEMPORAL, place, event, location);
      } else if (earlier == Places.NONE) {
        tally.add(Reason.NOT_WRITTEN, place, event, location);
      } else {
        tally.add(Reason.FLUSHED_BEFORE, place, earlier, event, location);
      }
    }
    flushed.flushInVain(line);
  }

  private void reportSeveralStores(int place, long event, long location, boolean reported) {
    if (!reported || newestDirty == oldestDirty) {
      return;
    }
    int oldest = entries.place(oldestDirty);
    for (int entry = newestDirty; entry != oldestDirty; entry = entries.next(entry)) {
      int other = entries.place(entry);
      if (entries.state(entry) == State.DIRTY && !Places.sameStack(other, oldest)) {
        tally.add(Reason.SEVERAL_STORES, place, oldest, other, event, event, location);
        return;
      }
    }
  }

  private void change(ThreadState thread, FlushKind kind, int slot, int place, long event) {
    if (kind == FlushKind.CLFLUSH) {
      // Later stores are ordered behind it, so the line is in memory before they are.
      lines.writeBack(slot);
      return;
    }
    if (newestDirty == StoredBytes.NONE) {
      return;
    }
    for (int entry = newestDirty; entry != StoredBytes.NONE; entry = entries.next(entry)) {
      if (entries.state(entry) == State.DIRTY) {
        entries.flush(entry, place, thread.number(), event);
      }
    }
    thread.addWaiting(slot);
  }
}
