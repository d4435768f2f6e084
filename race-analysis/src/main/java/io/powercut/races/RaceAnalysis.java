// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.races.found.Race;
import io.powercut.races.found.RaceResult;
import io.powercut.trace.AllocationEvent;
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
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds persistency-induced races in one pass over a trace: see the {@linkplain io.powercut.races
 * package}. The trace has to be recorded with {@link
 * io.powercut.recorder.RecorderOptions.Builder#races}.
 *
 * <p>What lies outside the marks, or runs through an excluded function, is not reported. Not safe
 * for use by several threads.
 */
public final class RaceAnalysis implements TraceConsumer {
  private static final Race.Tried NOWHERE = new Race.Tried(new FailurePointId(0), 0);

  private final TraceTables tables;
  private final CacheLineTracker tracker;
  private final Threads threads = new Threads();
  private final Places places;
  private final Windows windows;
  private final LockWords lockWords = new LockWords();
  private final Events events = new Events();

  /** Whether nobody else feeds the tracker. */
  private final boolean drives;

  private Race.Tried place = NOWHERE;
  private boolean isThreaded;
  private boolean isOver;

  /** Nothing when there are several. */
  private @Nullable SoleThread sole;

  private RaceAnalysis(
      CacheLineTracker tracker,
      boolean drives,
      TraceTables tables,
      ExcludedFunctions excluded,
      boolean activeFromStart,
      RaceOptions options) {
    this.tables = requireNonNull(tables, "tables is null");
    this.tracker = tracker;
    this.drives = drives;
    this.places =
        new Places(
            tables,
            requireNonNull(excluded, "excluded is null"),
            requireNonNull(options, "options is null").ownLocks());
    this.windows = new Windows(options, tracker, threads, places);
    windows.setActive(activeFromStart);
    this.sole = new SoleThread(activeFromStart);
  }

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
    this(
        CacheLineTracker.withoutContents(domain), true, tables, excluded, activeFromStart, options);
  }

  /**
   * An analysis that observes a tracker, which gets the trace behind it.
   *
   * @param tables fed by the same reader, before this
   * @param excluded functions below which nothing is reported, besides those that the recorder was
   *     told
   * @param activeFromStart false when the analysis waits for the first begin mark
   */
  public static RaceAnalysis observing(
      CacheLineTracker tracker,
      TraceTables tables,
      ExcludedFunctions excluded,
      boolean activeFromStart,
      RaceOptions options) {
    return new RaceAnalysis(tracker, false, tables, excluded, activeFromStart, options);
  }

  /** It has several threads from now on. */
  private void hasSeveral(SoleThread before) {
    sole = null;
    tracker.tell(windows);
    windows.open(before);
  }

  private void by(int thread) {
    SoleThread one = sole;
    if (one != null && !one.is(thread)) {
      hasSeveral(one);
    }
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    by(store.thread());
    windows.settle();
    windows.touch(store.thread(), store.location(), store.size());
    threads.get(store.thread()).stores(!store.hasMore());
    lockWords.stored(store);
    if (drives) {
      tracker.store(store);
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    by(thread);
    windows.settle();
    if (sole == null) {
      windows.flush(ordinal, thread, kind, stack, location);
    }
    if (drives) {
      tracker.flush(ordinal, thread, kind, site, stack, location);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    by(thread);
    windows.settle();
    if (sole == null) {
      windows.fence(ordinal, thread, stack);
    }
    if (drives) {
      tracker.fence(ordinal, thread, kind, site, stack);
    }
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size) {
    SoleThread one = sole;
    if (one != null) { // Loads are recorded only where there are several threads.
      hasSeveral(one);
    }
    windows.settle();
    isThreaded = true;
    windows.load(ordinal, thread, places.of(stack, site), location, size);
  }

  @Override
  public void event(TraceEvent event) {
    SoleThread one = sole;
    if (one != null && !one.isAloneBehind(event)) {
      hasSeveral(one);
    }
    windows.settle();
    if (drives) {
      tracker.event(event);
    }
    event.dispatch(events);
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
    public void allocation(AllocationEvent event) {
      SoleThread one = sole;
      if (one == null || !(event instanceof TraceEvent.Allocated allocated)) {
        event.accept(windows);
      } else {
        windows.allocated(allocated, one);
      }
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
      boolean isActive = event.kind() == TraceEvent.MarkKind.BEGIN;
      windows.setActive(isActive);
      if (sole != null) {
        sole.setActive(isActive, event.ordinal());
      }
    }
  }

  /**
   * A race whose reader has stored something, or written output, while the store that it read is
   * still in flight. A crash may now lose the store and leave what followed from it.
   *
   * @param site the instruction that stored, one of {@code TraceEvent.SiteDefined}
   * @param store what stored
   * @param load what loaded
   */
  public record InFlight(int site, CallStack store, CallStack load) {}

  /**
   * The trace has come to a failure point.
   *
   * @param number which of its occurrences this is, from 1
   */
  public void reached(FailurePointId id, long number) {
    place = new Race.Tried(id, number);
  }

  /**
   * Races that may do harm at the failure point that was {@linkplain #reached reached} last: their
   * readers have stored something, or written output, and the stores that they read are still in
   * flight. Each is given again when its reader has done more by then, since that may be what does
   * harm. Those between the same two places are given at so many failure points, and twice in any
   * case. Where {@linkplain RaceOptions#followsReaders readers are followed}, they are given four
   * times, and then the 6th, 8th, 12th, 16th, 24th time and so on.
   */
  public List<InFlight> takeInFlight() {
    return windows.takeInFlight(place);
  }

  /** Whether loads from persistent memory were recorded: there were several threads. */
  public boolean isThreaded() {
    return isThreaded;
  }

  /** Whether two threads, by their numbers, are of one process. */
  public boolean isOneProcess(int thread, int other) {
    return threads.get(thread).process() == threads.get(other).process();
  }

  /**
   * Whether a thread loaded what another one had stored and persisted for itself, with nothing but
   * locks to order them. That looks like initialisation, unless the other one could have given it
   * away before it was persisted.
   */
  public boolean handsOver() {
    return windows.handsOver();
  }

  /** What was found. To be asked once the trace has been read to its end. */
  public RaceResult result() {
    if (!isOver) {
      isOver = true;
      windows.settle();
      windows.finish();
    }
    return new RaceResult(
        windows.races(tables, lockWords), windows.limits(tables), threads.isSerial());
  }
}
