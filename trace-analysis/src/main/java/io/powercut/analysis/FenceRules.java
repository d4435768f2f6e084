// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.FencedLines;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.persistency.lines.ThreadProgress;
import io.powercut.trace.FenceKind;
import io.powercut.trace.TraceEvent;
import java.util.List;

/** Redundant fences, and fences that wait for several lines. */
final class FenceRules {
  private final CacheLineTracker tracker;
  private final Places places;
  private final Tally tally;
  private final boolean cacheIsPersistent;

  FenceRules(CacheLineTracker tracker, Places places, Tally tally) {
    this.tracker = tracker;
    this.places = places;
    this.tally = tally;
    this.cacheIsPersistent = tracker.domain() == PersistencyDomain.EADR;
  }

  /** A fence that is to be reported. */
  void fence(TraceEvent.Fence fence, ThreadProgress thread, FencedLines lines, int place) {
    reportRedundant(fence, thread, place);
    reportSeveral(fence, lines, place);
  }

  private void reportRedundant(TraceEvent.Fence fence, ThreadProgress thread, int place) {
    FenceKind kind = fence.kind();
    boolean orders = cacheIsPersistent ? thread.stored() : thread.needsFence();
    boolean isOnlyClflush = !cacheIsPersistent && thread.flushedInOrder();
    // A locked instruction is there for what it does, not for its effect as a fence. An mfence is
    // what old manuals want behind clflush.
    if (orders || kind == FenceKind.LOCKED || (kind == FenceKind.MFENCE && isOnlyClflush)) {
      tally.markNeeded(place);
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
    tally.add(reason, place, fence.ordinal(), 0);
  }

  private void reportSeveral(TraceEvent.Fence fence, FencedLines lines, int place) {
    Completed completed = new Completed();
    lines.forEach(line -> complete(fence.thread(), line, completed));
    if (completed.count > 1) {
      tally.add(
          completed.isOneLine() ? Reason.SEVERAL_NON_TEMPORAL : Reason.SEVERAL_LINES,
          place,
          completed.firstPlace,
          completed.lastPlace,
          fence.ordinal(),
          fence.ordinal(),
          completed.firstLine);
    }
  }

  /** A flushed line is one thing to wait for; each place that stored past the cache is another. */
  private void complete(int thread, LineHistory line, Completed completed) {
    LineHistory.Flushed first = null;
    List<InFlightStore> newest = tracker.withoutTransient(line.newestStores(), line.location());
    for (InFlightStore store : newest) {
      LineHistory.Flushed flush = line.flushOf(store, thread);
      if (flush != null && (first == null || flush.ordinal() < first.ordinal())) {
        first = flush;
      }
      if (store.isNonTemporal() && store.thread() == thread && isFirst(store, newest)) {
        completed.add(since(store, line), places.of(store), line.location());
      }
    }
    // What is flushed in one line is persisted in the order in which it was stored.
    if (first != null) {
      completed.add(first.ordinal(), places.of(first), line.location());
    }
  }

  /** Whether a store past the cache is the first of its place. */
  private boolean isFirst(InFlightStore store, List<InFlightStore> stores) {
    for (InFlightStore other : stores) {
      if (isLike(store, other)) {
        return other.ordinal() == store.ordinal();
      }
    }
    return true;
  }

  private long since(InFlightStore store, LineHistory line) {
    for (InFlightStore other : line.stores()) {
      if (isLike(store, other)) {
        return Math.min(other.ordinal(), store.ordinal());
      }
    }
    return store.ordinal();
  }

  private boolean isLike(InFlightStore store, InFlightStore other) {
    return other.isNonTemporal()
        && other.thread() == store.thread()
        && places.of(other) == places.of(store);
  }

  /** What one fence waits for. */
  private static final class Completed {
    private int count;
    private long firstSince = Long.MAX_VALUE;
    private long firstLine;
    private int firstPlace = Places.NONE;
    private long lastSince = -1;
    private long lastLine;
    private int lastPlace = Places.NONE;
    private long lowestLine = Long.MAX_VALUE;
    private long highestLine = -1;

    void add(long since, int place, long line) {
      lowestLine = Math.min(lowestLine, line);
      highestLine = Math.max(highestLine, line);
      if (since < firstSince || (since == firstSince && line < firstLine)) {
        firstSince = since;
        firstLine = line;
        firstPlace = place;
      }
      if (since > lastSince || (since == lastSince && line > lastLine)) {
        lastSince = since;
        lastLine = line;
        lastPlace = place;
      }
      count++;
    }

    boolean isOneLine() {
      return lowestLine == highestLine;
    }
  }
}
