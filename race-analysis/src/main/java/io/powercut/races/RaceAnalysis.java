// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.LockEvent;
import io.powercut.trace.ProcessEvent;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.ThreadEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import java.io.IOException;

/**
 * Finds persistency-induced races in one pass over a trace: see the {@linkplain io.powercut.races
 * package}. The trace has to be recorded with {@link
 * io.powercut.recorder.RecorderOptions.Builder#races}.
 *
 * <p>What lies outside the marks, or runs through an excluded function, is not reported. Not safe
 * for use by several threads.
 */
public final class RaceAnalysis implements TraceConsumer {
  private final TraceTables tables;
  private final CacheLineTracker tracker;
  private final Threads threads = new Threads();
  private final Places places;
  private final Windows windows;
  private final LockWords lockWords = new LockWords();
  private final Events events = new Events();
  private boolean isOver;

  /**
   * An analysis of one trace.
   *
   * @param tables fed by the same reader, before this
   * @param excluded functions below which nothing is reported, besides those that the recorder was
   *     told
   * @param activeFromStart false when the analysis waits for the first begin mark
   */
  public RaceAnalysis(
      PersistencyDomain domain,
      TraceTables tables,
      ExcludedFunctions excluded,
      boolean activeFromStart,
      RaceOptions options) {
    this.tables = requireNonNull(tables, "tables is null");
    this.tracker = CacheLineTracker.withoutContents(domain);
    this.places =
        new Places(
            tables,
            requireNonNull(excluded, "excluded is null"),
            requireNonNull(options).ownLocks());
    this.windows = new Windows(options, domain, threads, places);
    windows.setActive(activeFromStart);
    tracker.tell(windows);
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    windows.touch(store.thread(), store.location(), store.size());
    lockWords.stored(store);
    tracker.store(store);
    windows.settle();
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    tracker.flush(ordinal, thread, kind, site, stack, location);
    windows.settle();
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    tracker.fence(ordinal, thread, kind, site, stack);
    windows.settle();
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size) {
    windows.load(ordinal, thread, places.of(stack, site), location, size);
  }

  @Override
  public void event(TraceEvent event) {
    tracker.event(event);
    event.dispatch(events);
    windows.settle();
  }

  /** What is not the tracker's. */
  private final class Events implements EventGroups<RuntimeException> {
    @Override
    public void lock(LockEvent event) {
      event.accept(threads);
      event.accept(lockWords);
    }

    @Override
    public void thread(ThreadEvent event) {
      event.accept(threads);
    }

    @Override
    public void process(ProcessEvent event) {
      event.accept(threads);
    }

    @Override
    public void output(TraceEvent.Output event) {
      windows.wrote(event.thread(), event.ordinal());
    }

    @Override
    public void mark(TraceEvent.Mark event) {
      windows.setActive(event.kind() == TraceEvent.MarkKind.BEGIN);
    }
  }

  /** What was found. To be asked once the trace has been read to its end. */
  public RaceResult result() {
    if (!isOver) {
      isOver = true;
      windows.finish();
    }
    return new RaceResult(windows.tally().races(places, tables, lockWords), windows.isComplete());
  }
}
