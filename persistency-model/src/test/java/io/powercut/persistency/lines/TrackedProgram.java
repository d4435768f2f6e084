// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A program on a PM file, step by step, and what an observer is told of it. */
final class TrackedProgram {
  static final int FILE = 1;

  private final CacheLineTracker tracker;
  private final List<String> told = new ArrayList<>();
  private final Set<String> departed = new TreeSet<>();
  private final TreeMap<Long, String> inFlight = new TreeMap<>();
  private final ByteBuffer bytes = ByteBuffer.allocate(512);
  private long ordinal;
  private int thread = 1;

  TrackedProgram(PersistencyDomain domain, long size) {
    this(domain, size, CacheLineTracker.MOST_HOT_LINES);
  }

  TrackedProgram(PersistencyDomain domain, long size, int mostHotLines) {
    this.tracker = new CacheLineTracker(domain, (file, offset, into) -> {}, mostHotLines);
    tracker.tell(new Log());
    define(FILE, size);
  }

  CacheLineTracker tracker() {
    return tracker;
  }

  TrackedProgram define(int file, long size) {
    tracker.event(
        new TraceEvent.FileDefined(
            ordinal++, 1, file, TraceEvent.FileState.EXISTING, size, "pool" + file));
    return this;
  }

  private final class Log implements LineObserver {
    @Override
    public void inFlight(InFlightStore store, LineHistory line) {
      inFlight.put(store.ordinal(), "");
    }

    @Override
    public void overwritten(InFlightStore older, InFlightStore newer, long location) {
      told.add("overwritten " + older.ordinal());
    }

    @Override
    public void flushed(TraceEvent.Flush flush, FlushEffect effect, @Nullable LineHistory line) {
      told.add("flush " + effect);
    }

    @Override
    public void fenced(TraceEvent.Fence fence, ThreadProgress progress, FencedLines lines) {
      told.add("fence " + (lines.isEmpty() ? "idle" : "needed"));
    }

    @Override
    public void synchronised(TraceEvent.SyncEnded ended, boolean isNeeded) {
      told.add("sync " + (isNeeded ? "needed" : "idle"));
    }

    @Override
    public void failed(TraceEvent.SyncEnded ended, List<LineRange> lines) {
      lines.forEach(range -> told.add("sync failed for " + range.count()));
    }

    @Override
    public boolean followsDepartures() {
      return true;
    }

    @Override
    public void departed(InFlightStore store, long line, Departure departure) {
      told.add(store.ordinal() + " " + departure.reason());
      if (departure.reason() != Departure.Reason.CACHE) {
        departed.add(store.ordinal() + " from line " + Location.offset(line) / LineRange.LINE);
      }
    }
  }

  /** Of the thread whose steps come next. */
  TrackedProgram by(int number) {
    thread = number;
    return this;
  }

  /** The ordinal of the next record. */
  long next() {
    return ordinal;
  }

  TrackedProgram store(long offset, int size) {
    return store(offset, size, 0);
  }

  TrackedProgram store(long offset, int size, int flags) {
    return storeTo(FILE, offset, size, flags);
  }

  TrackedProgram storeTo(int file, long offset, int size, int flags) {
    try {
      tracker.store(
          new StoreRecord(
              ordinal++, thread, flags, 1, 1, Location.of(file, offset), size, bytes, 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  TrackedProgram flush(FlushKind kind, long offset) {
    tracker.flush(ordinal++, thread, kind, 1, 1, Location.of(FILE, offset));
    return this;
  }

  TrackedProgram clwb(long offset) {
    return flush(FlushKind.CLWB, offset);
  }

  TrackedProgram fence() {
    tracker.fence(ordinal++, thread, FenceKind.SFENCE, 1, 1);
    return this;
  }

  TraceEvent.Sync begin(SyncKind kind, long offset, long length) {
    boolean hasFile = kind != SyncKind.SYNC && kind != SyncKind.DIRECTORY;
    long location = hasFile ? Location.of(FILE, offset) : 0;
    TraceEvent.Sync sync = new TraceEvent.Sync(ordinal++, thread, kind, 1, 1, location, length);
    tracker.event(sync);
    return sync;
  }

  TrackedProgram end(TraceEvent.Sync sync, int error) {
    tracker.event(new TraceEvent.SyncEnded(ordinal++, thread, requireNonNull(sync), error));
    return this;
  }

  TrackedProgram sync(SyncKind kind, long offset, long length) {
    return end(begin(kind, offset, length), 0);
  }

  TrackedProgram declare(TraceEvent.RangeKind kind, long offset, long size) {
    return event(
        new TraceEvent.RangeDeclared(ordinal, thread, kind, 1, Location.of(FILE, offset), size));
  }

  TrackedProgram event(TraceEvent event) {
    tracker.event(event);
    ordinal++;
    return this;
  }

  /** The ordinals of the stores with bytes in flight, by location of their first byte in a line. */
  List<String> stores() {
    List<String> stores = new ArrayList<>();
    tracker.forEachLine(
        line ->
            line.stores()
                .forEach(
                    store ->
                        stores.add(
                            Location.toString(line.location())
                                + " "
                                + store.ordinal()
                                + " "
                                + Long.toHexString(store.bytes())
                                + (line.dirtyStores().contains(store) ? " dirty" : ""))));
    stores.sort(null);
    return stores;
  }

  /** What departed from which line, with no regard to eADR, since this was asked last. */
  Set<String> departed() {
    Set<String> all = new TreeSet<>(departed);
    departed.clear();
    return all;
  }

  /** What the observer was told since this was asked last. */
  List<String> told() {
    List<String> all = List.copyOf(told);
    told.clear();
    return all;
  }
}
