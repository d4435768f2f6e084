// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.FencedLines;
import io.powercut.persistency.lines.FlushEffect;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.persistency.lines.LineObserver;
import io.powercut.persistency.lines.ThreadProgress;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.FenceKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Instruction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds patterns of misused persistent memory in one pass over a trace (Gonçalves et al., EuroSys
 * 2023, section 4.2).
 *
 * <p>A {@link CacheLineTracker} knows what is in flight and tells this what is done about it. Kept
 * here are what was reported and which lines were ever flushed. Of the trace itself this wants only
 * the marks. Not safe for use by several threads.
 *
 * <p>What lies outside the window between the marks, or runs through an excluded function, changes
 * the state and is not reported; it is the first place of a report that counts. The trace should
 * carry all stacks ({@link io.powercut.recorder.RecorderOptions.Builder#allStacks}); an event
 * without one is known by its instruction alone.
 */
public final class TracePatterns implements LineObserver, TraceConsumer {
  /** How many lines may have something that is not persisted: 64 MB of persistent memory. */
  static final int MOST_LINES = 1 << 20;

  private final TraceTables tables;
  private final CacheLineTracker tracker;
  private final Places places;
  private final Window window;
  private final FlushedLines flushed = new FlushedLines();

  /** Lines of calls that persist nothing. */
  private final FlushedLines asked = new FlushedLines();

  private final FlushedLines inVain = new FlushedLines();

  private final Tally tally = new Tally();
  private final FlushRules flushRules;
  private final FenceRules fenceRules;
  private boolean overwhelmed;
  private boolean hasFlush;
  private boolean hasSync;

  private boolean hasNonTemporalStore;

  /** Whether the program's own instructions stored, not its system calls. */
  private boolean hasOwnStore;

  private long stores;
  private long flushes;
  private long fences;

  /** Of the store whose parts come. */
  private int placeOfStore;

  private boolean isStoreReported;

  private TracePatterns(
      CacheLineTracker tracker,
      TraceTables tables,
      ExcludedFunctions excluded,
      boolean activeFromStart) {
    this.tracker = requireNonNull(tracker, "tracker is null");
    this.tables = requireNonNull(tables, "tables is null");
    this.places = new Places(tables, requireNonNull(excluded, "excluded is null"));
    this.window = new Window(activeFromStart);
    this.flushRules = new FlushRules(tracker, flushed, places, tally);
    this.fenceRules = new FenceRules(tracker, places, tally);
  }

  /**
   * An analysis of one trace.
   *
   * @param tracker fed by the same reader, behind this
   * @param tables fed by the same reader, before this
   * @param excluded functions below which nothing is reported, besides those that the recorder was
   *     told
   * @param activeFromStart false when the analysis waits for the first begin mark
   */
  public static TracePatterns observing(
      CacheLineTracker tracker,
      TraceTables tables,
      ExcludedFunctions excluded,
      boolean activeFromStart) {
    TracePatterns patterns = new TracePatterns(tracker, tables, excluded, activeFromStart);
    tracker.tell(patterns);
    return patterns;
  }

  private boolean isReported(int place) {
    return window.isOpen() && !places.isExcluded(place);
  }

  @Override
  public void stored(StoreRecord record, long store) {
    overwhelmed |= tracker.size() > MOST_LINES;
    if (overwhelmed) {
      return;
    }
    Instruction instruction = StoreFlags.instruction(record.flags());
    hasNonTemporalStore |= instruction == Instruction.NON_TEMPORAL_STORE;
    hasOwnStore |=
        instruction == Instruction.STORE || instruction == Instruction.NON_TEMPORAL_STORE;
    placeOfStore = places.of(record.stack(), record.site(), instruction);
    isStoreReported = isReported(placeOfStore);
    if (isStoreReported && store == record.ordinal()) {
      stores++;
    }
  }

  @Override
  public void overwritten(InFlightStore older, InFlightStore newer, long location) {
    if (!overwhelmed
        && isStoreReported
        && tracker.domain() == PersistencyDomain.ADR
        && older.ordinal() != newer.ordinal()) {
      tally.add(Reason.OVERWRITTEN, placeOfStore, places.of(older), newer.ordinal(), location);
    }
  }

  @Override
  public void flushed(TraceEvent.Flush flush, FlushEffect effect, @Nullable LineHistory line) {
    if (overwhelmed) {
      return;
    }
    hasFlush = true;
    int place = places.of(flush.stack(), flush.site(), flush.kind().instruction());
    boolean reported = isReported(place);
    if (reported) {
      flushes++;
    }
    flushRules.flush(flush, effect, line, place, reported);
  }

  @Override
  public void fenced(TraceEvent.Fence fence, ThreadProgress thread, FencedLines lines) {
    if (overwhelmed) {
      return;
    }
    int place = places.of(fence.stack(), fence.site(), fence.kind().instruction());
    if (isReported(place)) {
      fences += fence.kind() == FenceKind.LOCKED ? 0 : 1;
      fenceRules.fence(fence, thread, lines, place);
    }
  }

  /** That it is called shows that the data should survive. */
  @Override
  public void synchronising(TraceEvent.Sync sync, List<LineRange> lines) {
    hasSync = true;
    FlushedLines covered = sync.kind().isGuarantee() ? flushed : asked;
    lines.forEach(covered::synchronise);
  }

  @Override
  public void failed(TraceEvent.SyncEnded ended, List<LineRange> lines) {
    lines.forEach(inVain::synchronise);
  }

  @Override
  public void wroteSynchronously(LineRange lines) {
    flushed.synchronise(lines);
  }

  /** Marks; all else comes from the tracker. */
  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.Mark mark) {
      window.set(mark.kind() == TraceEvent.MarkKind.BEGIN, mark.ordinal());
    }
  }

  /**
   * Whether so much was not persisted at one time, {@value #MOST_LINES} cache lines, that the
   * analysis was given up. There are no reports then.
   */
  public boolean isOverwhelmed() {
    return overwhelmed;
  }

  /** A program that persists by system calls alone has its fences for its threads. */
  private boolean isFencedToPersist() {
    return hasFlush || hasNonTemporalStore || (hasOwnStore && !hasSync);
  }

  /** What was found, once the pass is over. */
  public PatternResult result() {
    if (overwhelmed) {
      return new PatternResult(List.of(), new PatternTotals(0, 0, 0, 0, 0));
    }
    if (!isFencedToPersist()) {
      tally.forget(PatternKind.REDUNDANT_FENCE);
    }
    List<PatternReport> reports = new ArrayList<>(tally.reports(places, tables));
    if (tracker.domain() == PersistencyDomain.ADR) {
      Leftovers leftovers =
          new Leftovers(flushed, asked, inVain, places, window, hasSync && !hasFlush);
      reports.addAll(leftovers.count(tracker).reports(places, tables));
    }
    reports.sort(ReportOrder.COMPARATOR);
    return new PatternResult(
        reports,
        new PatternTotals(
            stores,
            flushes,
            fences,
            tally.count(PatternKind.REDUNDANT_FLUSH),
            tally.count(PatternKind.REDUNDANT_FENCE)));
  }
}
