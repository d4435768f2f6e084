package io.powercut.analysis;

import io.powercut.analysis.StoredBytes.State;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;

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
    boolean orders = cacheIsPersistent ? thread.stored() : thread.needsFence();
    boolean isOnlyClflush = !cacheIsPersistent && thread.flushedInOrder();
    // A locked instruction is there for what it does, not for its effect as a fence. An mfence is
    // what old manuals want behind clflush.
    if (orders || kind == FenceKind.LOCKED || (kind == FenceKind.MFENCE && isOnlyClflush)) {
      return;
    }
    Reason reason;
    if (kind == FenceKind.MFENCE) {
      reason = Reason.NOTHING_BUT_LOADS;
    } else if (cacheIsPersistent) {
      reason = Reason.NO_STORE_TO_ORDER;
    } else {
      reason = isOnlyClflush ? Reason.ONLY_CLFLUSH : Reason.NOTHING_TO_ORDER;
    }
    tally.add(reason, place, event, 0);
  }

  private void complete(ThreadState thread, int place, long event, boolean reported) {
    Completed completed = new Completed(entries);
    for (int index = 0; index < thread.waitingCount(); index++) {
      int slot = thread.waiting(index);
      int flushed = StoredBytes.NONE;
      long pastCache = -1;
      for (int entry = lines.first(slot); entry != StoredBytes.NONE; entry = entries.next(entry)) {
        if (!entries.waitsForFenceOf(entry, thread.number())) {
          continue;
        }
        if (entries.state(entry) == State.NON_TEMPORAL) {
          // The pieces of one store follow one another.
          if (entries.waitsSince(entry) != pastCache) {
            pastCache = entries.waitsSince(entry);
            completed.add(entry, lines.line(slot));
          }
        } else if (flushed == StoredBytes.NONE
            || entries.waitsSince(entry) < entries.waitsSince(flushed)) {
          flushed = entry;
        }
      }
      // What is flushed in one line is persisted in the order in which it was stored.
      if (flushed != StoredBytes.NONE) {
        completed.add(flushed, lines.line(slot));
      }
      lines.fence(slot, thread.number());
    }
    if (completed.count > 1 && reported) {
      long location = Lines.location(completed.firstLine);
      tally.add(
          completed.isOneLine() ? Reason.SEVERAL_NON_TEMPORAL : Reason.SEVERAL_LINES,
          place,
          completed.firstPlace,
          completed.lastPlace,
          event,
          event,
          location);
    }
  }

  /** What one fence waits for: flushed lines, and stores past the cache of one place each. */
  private static final class Completed {
    private final StoredBytes entries;
    private int count;
    private long firstSince = Long.MAX_VALUE;
    private long firstLine;
    private int firstPlace = Places.NONE;
    private long lastSince = -1;
    private long lastLine;
    private int lastPlace = Places.NONE;
    private long lowestLine = Long.MAX_VALUE;
    private long highestLine = -1;

    Completed(StoredBytes entries) {
      this.entries = entries;
    }

    void add(int entry, long line) {
      long since = entries.waitsSince(entry);
      lowestLine = Math.min(lowestLine, line);
      highestLine = Math.max(highestLine, line);
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
      count++;
    }

    boolean isOneLine() {
      return lowestLine == highestLine;
    }
  }
}
