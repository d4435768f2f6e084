// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is not persisted when the trace is over. */
final class Leftovers {
  private final FlushedLines flushed;
  private final FlushedLines asked;
  private final FlushedLines inVain;
  private final Places places;
  private final Window window;
  private final boolean persistsBySystemCalls;
  private final Tally tally = new Tally();

  /**
   * What is left of one trace.
   *
   * @param asked the lines for which a call was made that shows that they should survive, and does
   *     not persist them
   * @param inVain the lines for which a call that would persist them failed
   * @param persistsBySystemCalls whether the run persisted by msync, fsync and their like alone, so
   *     that advice speaks of these instead of flushes
   */
  Leftovers(
      FlushedLines flushed,
      FlushedLines asked,
      FlushedLines inVain,
      Places places,
      Window window,
      boolean persistsBySystemCalls) {
    this.flushed = flushed;
    this.asked = asked;
    this.inVain = inVain;
    this.places = places;
    this.window = window;
    this.persistsBySystemCalls = persistsBySystemCalls;
  }

  /** Counts the lines that are left, by reason and place of the store. */
  Tally count(CacheLineTracker tracker) {
    tracker.forEachLine(
        line -> countLine(line, tracker.withoutTransient(line.newestStores(), line.location())));
    return tally;
  }

  private void countLine(LineHistory line, List<InFlightStore> newest) {
    for (InFlightStore store : newest) {
      int place = places.of(store);
      if (window.contains(store.ordinal()) && !places.isExcluded(place)) {
        count(line, store, place, newest);
      }
    }
  }

  private void count(LineHistory line, InFlightStore store, int place, List<InFlightStore> newest) {
    LineHistory.@Nullable Flushed flush = line.flushOf(store);
    Reason reason = places.isLock(place) ? Reason.LOCK : reason(line, store, flush);
    int flushing = reason == Reason.NOT_FENCED && flush != null ? places.of(flush) : Places.NONE;
    long since =
        Math.min(since(line, store, flush, line.stores()), since(line, store, flush, newest));
    long location = line.location() + store.firstByte();
    tally.add(reason, place, flushing, Places.NONE, line.location(), since, location);
  }

  /** Since when the place has had stores like this one in the line. */
  private long since(
      LineHistory line,
      InFlightStore store,
      LineHistory.@Nullable Flushed flush,
      List<InFlightStore> others) {
    for (InFlightStore other : others) {
      if (other.isNonTemporal() == store.isNonTemporal()
          && (!store.isNonTemporal() || other.thread() == store.thread())
          && places.of(other) == places.of(store)
          && window.contains(other.ordinal())
          && Objects.equals(line.flushOf(other), flush)) {
        return Math.min(other.ordinal(), store.ordinal());
      }
    }
    return store.ordinal();
  }

  private Reason reason(
      LineHistory line, InFlightStore store, LineHistory.@Nullable Flushed flush) {
    boolean everFlushed = flushed.contains(FlushedLines.at(line.location()));
    boolean everAsked = asked.contains(FlushedLines.at(line.location()));
    if (store.isNonTemporal()) {
      return everFlushed || everAsked ? Reason.NON_TEMPORAL_NOT_FENCED : Reason.NEVER_FENCED;
    }
    if (flush != null) {
      return Reason.NOT_FENCED;
    }
    if (inVain.contains(FlushedLines.at(line.location()))) {
      return Reason.SYNC_FAILED;
    }
    if (everAsked && !everFlushed) {
      return Reason.NOT_WAITED_FOR;
    }
    if (persistsBySystemCalls) {
      return everFlushed ? Reason.NOT_SYNCHRONISED : Reason.NEVER_SYNCHRONISED;
    }
    return everFlushed ? Reason.NOT_FLUSHED : Reason.NEVER_FLUSHED;
  }
}
