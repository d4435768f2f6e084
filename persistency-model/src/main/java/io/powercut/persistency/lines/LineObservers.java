// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All who are told what becomes of stores. Knows why stores depart just now. */
final class LineObservers implements LineObserver, InFlightPlaces.Departures {
  private final List<LineObserver> all = new ArrayList<>();
  private final List<LineObserver> followers = new ArrayList<>();
  private Departure departure = new Departure(Departure.Reason.GONE, 0, 0, 0);

  /** Has one more told of what comes from now on. */
  void add(LineObserver observer) {
    all.add(requireNonNull(observer, "observer is null"));
    if (observer.followsDepartures()) {
      followers.add(observer);
    }
  }

  /** Whether nobody is to be told. */
  boolean isEmpty() {
    return all.isEmpty();
  }

  /**
   * Why stores depart from now on.
   *
   * @param ordinal of the record that ends it
   * @param stack of the flush, fence or call; 0 when there is none
   */
  void departing(Departure.Reason reason, long ordinal, int thread, int stack) {
    if (followsDepartures()) {
      departure = new Departure(reason, ordinal, thread, stack);
    }
  }

  @Override
  public boolean followsDepartures() {
    return !followers.isEmpty();
  }

  @Override
  public void departed(InFlightStore store, long line) {
    departed(store, line, departure);
  }

  @Override
  public void departed(InFlightStore store, long line, Departure reason) {
    for (LineObserver observer : followers) {
      observer.departed(store, line, reason);
    }
  }

  @Override
  public void stored(StoreRecord record, long store) {
    for (LineObserver observer : all) {
      observer.stored(record, store);
    }
  }

  @Override
  public void overwritten(InFlightStore older, InFlightStore newer, long location) {
    for (LineObserver observer : all) {
      observer.overwritten(older, newer, location);
    }
  }

  @Override
  public void inFlight(InFlightStore store, LineHistory line) {
    for (LineObserver observer : all) {
      observer.inFlight(store, line);
    }
  }

  @Override
  public void flushed(TraceEvent.Flush flush, FlushEffect effect, @Nullable LineHistory line) {
    for (LineObserver observer : all) {
      observer.flushed(flush, effect, line);
    }
  }

  @Override
  public void fenced(TraceEvent.Fence fence, ThreadProgress thread, FencedLines lines) {
    for (LineObserver observer : all) {
      observer.fenced(fence, thread, lines);
    }
  }

  @Override
  public void synchronising(TraceEvent.Sync sync, List<LineRange> lines) {
    for (LineObserver observer : all) {
      observer.synchronising(sync, lines);
    }
  }

  @Override
  public void synchronised(TraceEvent.SyncEnded ended, boolean isNeeded) {
    for (LineObserver observer : all) {
      observer.synchronised(ended, isNeeded);
    }
  }

  @Override
  public void failed(TraceEvent.SyncEnded ended, List<LineRange> lines) {
    for (LineObserver observer : all) {
      observer.failed(ended, lines);
    }
  }

  @Override
  public void wroteSynchronously(LineRange lines) {
    for (LineObserver observer : all) {
      observer.wroteSynchronously(lines);
    }
  }
}
