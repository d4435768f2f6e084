// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.FlushEffect;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.trace.TraceEvent;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Redundant flushes, and flushes of several stores. */
final class FlushRules {
  private final CacheLineTracker tracker;
  private final FlushedLines flushed;
  private final Places places;
  private final Tally tally;

  FlushRules(CacheLineTracker tracker, FlushedLines flushed, Places places, Tally tally) {
    this.tracker = tracker;
    this.flushed = flushed;
    this.places = places;
    this.tally = tally;
  }

  /** A flush of a line of volatile or persistent memory. */
  void flush(
      TraceEvent.Flush flush,
      FlushEffect effect,
      @Nullable LineHistory line,
      int place,
      boolean reported) {
    switch (effect) {
      case VOLATILE -> report(Reason.VOLATILE, place, flush, reported);
      case CACHE_IS_PERSISTENT -> report(Reason.CACHE_IS_PERSISTENT, place, flush, reported);
      // What the program does for bytes that are ignored is its business.
      case IGNORED -> flushed.flush(FlushedLines.at(flush.location()), place);
      case LOST_FILE -> {
        // A power cut takes the file away whatever is in it: there is nothing to say.
      }
      case ONLY_NON_TEMPORAL, NOTHING_TO_WRITE_BACK -> flushInVain(flush, effect, place, reported);
      case WRITES_BACK -> {
        tally.markNeeded(place);
        if (reported && line != null) {
          reportSeveralStores(flush, line, place);
        }
        flushed.flush(FlushedLines.at(flush.location()), place);
      }
    }
  }

  private void report(Reason reason, int place, TraceEvent.Flush flush, boolean reported) {
    if (reported) {
      tally.add(reason, place, flush.ordinal(), flush.location());
    }
  }

  private void flushInVain(
      TraceEvent.Flush flush, FlushEffect effect, int place, boolean reported) {
    long line = FlushedLines.at(flush.location());
    int earlier = flushed.latestFlush(line);
    if (effect == FlushEffect.ONLY_NON_TEMPORAL) {
      report(Reason.ONLY_NON_TEMPORAL, place, flush, reported);
    } else if (earlier == Places.NONE) {
      report(Reason.NOT_WRITTEN, place, flush, reported);
    } else if (reported) {
      tally.add(Reason.FLUSHED_BEFORE, place, earlier, flush.ordinal(), flush.location());
    }
    flushed.flushInVain(line);
  }

  /** Names the place whose bytes are in the line for longest, and the last with another stack. */
  private void reportSeveralStores(TraceEvent.Flush flush, LineHistory line, int place) {
    if (line.stores().size() < 2) {
      return;
    }
    IntArrayList storing = placesOf(tracker.withoutTransient(line.dirtyStores(), line.location()));
    if (storing.size() < 2) {
      return;
    }
    IntArrayList newest =
        placesOf(tracker.withoutTransient(line.newestDirtyStores(), line.location()));
    storing.removeIf(one -> !newest.contains(one));
    for (int index = storing.size() - 1; index > 0; index--) {
      int oldest = storing.getInt(0);
      int other = storing.getInt(index);
      if (!Places.sameStack(other, oldest)) {
        long event = flush.ordinal();
        tally.add(Reason.SEVERAL_STORES, place, oldest, other, event, event, flush.location());
        return;
      }
    }
  }

  /** In the order of their first store. */
  private IntArrayList placesOf(List<InFlightStore> stores) {
    IntArrayList found = new IntArrayList(4);
    for (InFlightStore store : stores) {
      int place = places.of(store);
      if (!found.contains(place)) {
        found.add(place);
      }
    }
    return found;
  }
}
