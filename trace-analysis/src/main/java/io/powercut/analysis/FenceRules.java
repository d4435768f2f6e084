package io.powercut.analysis;

import io.powercut.instrumentation.trace.FenceKind;
import io.powercut.persistency.PersistencyDomain;

/** What a fence completes, redundant fences, and fences that wait for several lines. */
final class FenceRules {
  private final StoredBytes entries;
  private final Lines lines;
  private final Tally tally;
  private final boolean cacheIsPersistent;

  FenceRules(StoredBytes entries, Lines lines, Tally tally, PersistencyDomain domain) {
    this.entries = entries;
    this.lines = lines;
    this.tally = tally;
    this.cacheIsPersistent = domain == PersistencyDomain.EADR;
  }

  /** A fence. */
  void fence(ThreadState thread, FenceKind kind, int place, long event, boolean reported) {
    if (reported) {
      reportRedundant(thread, kind, place, event);
    }
    complete(thread, place, event, reported);
    thread.fence();
  }

  private void reportRedundant(ThreadState thread, FenceKind kind, int place, long event) {
    boolean orders = cacheIsPersistent ? thread.stored() : thread.flushed();
    // A locked instruction is there for what it does, not for its effect as a fence.
    if (orders || kind == FenceKind.LOCKED) {
      return;
    }
    Reason reason =
        kind == FenceKind.MFENCE
            ? Reason.NOTHING_BUT_LOADS
            : cacheIsPersistent ? Reason.NO_STORE_TO_ORDER : Reason.NOTHING_TO_ORDER;
    tally.add(reason, place, event, 0);
  }

  private void complete(ThreadState thread, int place, long event, boolean reported) {
    int count = 0;
    long firstSince = Long.MAX_VALUE;
    long firstLine = 0;
    int firstPlace = Places.NONE;
    long lastSince = -1;
    long lastLine = 0;
    int lastPlace = Places.NONE;
    for (int index = 0; index < thread.waitingCount(); index++) {
      int slot = thread.waiting(index);
      int entry = lines.longestWaiting(slot, thread.number());
      if (entry == StoredBytes.NONE) {
        continue;
      }
      count++;
      long since = entries.waitsSince(entry);
      long line = lines.line(slot);
      if (since < firstSince || (since == firstSince && line < firstLine)) {
        firstSince = since;
        firstLine = line;
        firstPlace = entries.waitsFor(entry);
      }
      if (since > lastSince || (since == lastSince && line > lastLine)) {
        lastSince = since;
        lastLine = line;
        lastPlace = entries.waitsFor(entry);
      }
      lines.fence(slot, thread.number());
    }
    if (count > 1 && reported) {
      long location = Lines.location(firstLine);
      tally.add(Reason.SEVERAL_LINES, place, firstPlace, lastPlace, event, event, location);
    }
  }
}
