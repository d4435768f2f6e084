package io.powercut.analysis;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds patterns of misused persistent memory in one pass over a trace (Gonçalves et al., EuroSys
 * 2023, section 4.2).
 *
 * <p>Keeps, for each cache line in which something is not persisted, whose bytes these are and what
 * they wait for: a flush, or a fence of a certain thread. Memory is bounded by what is dirty and by
 * the number of different reports. Not safe for use by several threads.
 *
 * <p>What lies outside the window between the marks, or runs through an excluded function, changes
 * the state and is not reported; it is the first place of a report that counts. The trace should
 * carry all stacks ({@link io.powercut.recorder.RecorderOptions.Builder#allStacks}); an event
 * without one is known by its instruction alone.
 */
public final class TracePatterns implements TraceConsumer {
  /**
   * How many lines may have something that is not persisted, at about 100 bytes of heap each: 64 MB
   * of persistent memory.
   */
  static final int MOST_LINES = 1 << 20;

  /** What msync synchronises at least. */
  private static final long PAGE_BYTES = 4096;

  private static final long ALL_BYTES = 1L << Location.OFFSET_BITS;

  private final TraceTables tables;
  private final PersistencyDomain domain;
  private final Places places;
  private final PmFiles files = new PmFiles();
  private final StoredBytes entries = new StoredBytes();
  private final Lines lines = new Lines(entries);
  private final FlushedLines flushed = new FlushedLines();
  private final Tally tally = new Tally();
  private final StoreRules storeRules;
  private final FlushRules flushRules;
  private final FenceRules fenceRules;
  private final List<@Nullable ThreadState> threads = new ArrayList<>();
  private boolean active;
  private boolean overwhelmed;
  private long stores;
  private long flushes;
  private long fences;

  /**
   * An analysis of one trace.
   *
   * @param tables fed by the same reader, before this
   * @param excluded functions below which nothing is reported, besides those that the recorder was
   *     told
   * @param activeFromStart false when the analysis waits for the first begin mark
   */
  public TracePatterns(
      TraceTables tables,
      PersistencyDomain domain,
      ExcludedFunctions excluded,
      boolean activeFromStart) {
    this.tables = requireNonNull(tables, "tables is null");
    this.domain = requireNonNull(domain, "domain is null");
    this.places = new Places(tables, requireNonNull(excluded, "excluded is null"));
    this.active = activeFromStart;
    this.storeRules = new StoreRules(entries, lines, tally, domain);
    this.flushRules = new FlushRules(entries, lines, flushed, tally, domain);
    this.fenceRules = new FenceRules(entries, lines, tally, domain);
  }

  private ThreadState thread(int number) {
    while (threads.size() <= number) {
      threads.add(null);
    }
    ThreadState known = threads.get(number);
    if (known == null) {
      known = new ThreadState(number, lines);
      threads.set(number, known);
    }
    return known;
  }

  private boolean isReported(int place) {
    return active && !places.isExcluded(place);
  }

  @Override
  public void store(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset) {
    overwhelmed |= lines.count() > MOST_LINES;
    if (overwhelmed) {
      return;
    }
    ThreadState state = thread(thread);
    long event = state.store(ordinal, flags);
    int place = places.of(stack, site, StoreFlags.instruction(flags));
    boolean reported = isReported(place);
    if (reported && event == ordinal) {
      stores++;
    }
    int file = Location.file(location);
    if (files.isGone(file)) {
      return;
    }
    // What lies behind the file's end, in its last page, is in no file.
    long end = location + Math.min(size, files.size(file) - Location.offset(location));
    storeRules.store(
        state,
        event,
        event != ordinal || (flags & StoreFlags.MORE) != 0,
        (flags & StoreFlags.NON_TEMPORAL) != 0,
        place,
        location,
        end,
        reported);
    if (StoreFlags.isSynchronousWrite(flags)) {
      flushed.synchronise(file, Location.offset(location), Location.offset(end));
      lines.forget(file, Location.offset(location), Location.offset(end));
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    if (overwhelmed) {
      return;
    }
    ThreadState state = thread(thread);
    int place = places.of(stack, site, kind.instruction());
    boolean reported = isReported(place);
    if (reported) {
      flushes++;
    }
    if (!Location.isVolatile(location)) {
      state.flush(kind);
    }
    if (!files.isGone(Location.file(location))) {
      flushRules.flush(state, kind, place, ordinal, location, reported);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    if (overwhelmed) {
      return;
    }
    int place = places.of(stack, site, kind.instruction());
    boolean reported = isReported(place);
    if (reported && kind != FenceKind.LOCKED) {
      fences++;
    }
    fenceRules.fence(thread(thread), kind, place, ordinal, reported);
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.Sync sync) {
      synchronise(sync, (file, from, to) -> flushed.synchronise(file, from, to));
    } else if (event instanceof TraceEvent.SyncEnded ended) {
      if (ended.isGuarantee()) {
        long begin = ended.sync().ordinal();
        synchronise(ended.sync(), (file, from, to) -> lines.forgetBefore(begin, file, from, to));
      }
    } else if (event instanceof TraceEvent.Mark mark) {
      active = mark.kind() == TraceEvent.MarkKind.BEGIN;
    } else if (event instanceof TraceEvent.FileDefined defined) {
      files.define(defined);
    } else if (event instanceof TraceEvent.FileResized resized) {
      files.resize(resized.file(), resized.size());
      lines.forget(resized.file(), resized.size(), ALL_BYTES);
    } else if (event instanceof TraceEvent.FileZeroed zeroed) {
      lines.forget(zeroed.file(), zeroed.offset(), zeroed.offset() + zeroed.length());
    } else if (event instanceof TraceEvent.FileLinked linked && !linked.outside()) {
      files.name(linked.file());
    } else if (event instanceof TraceEvent.FileDeleted deleted
        && deleted.file() != 0
        && !deleted.hasOtherNames()) {
      lose(deleted.file());
    } else if (event instanceof TraceEvent.FileRenamed renamed && renamed.outside()) {
      lose(renamed.file());
    }
  }

  private void lose(int file) {
    files.lose(file);
    lines.forget(file, 0, ALL_BYTES);
  }

  private interface Range {
    void of(int file, long from, long to);
  }

  /** Hands out what a call is about. That it was made shows that the data should survive. */
  private void synchronise(TraceEvent.Sync sync, Range range) {
    if (sync.kind() == SyncKind.SYNC) {
      for (int file = 1; file < files.count(); file++) {
        range.of(file, 0, files.size(file));
      }
      return;
    }
    int file = Location.file(sync.location());
    if (file == 0) {
      return;
    }
    long from = Location.offset(sync.location());
    long to = sync.length() == 0 ? Math.max(files.size(file), from) : from + sync.length();
    boolean isMapping = sync.kind() == SyncKind.MSYNC || sync.kind() == SyncKind.MSYNC_ASYNC;
    // msync counts in pages.
    long end = isMapping ? (to + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : to;
    range.of(file, from, end);
  }

  /**
   * Whether so much was not persisted at one time, {@value #MOST_LINES} cache lines, that the
   * analysis was given up. There are no reports then.
   */
  public boolean isOverwhelmed() {
    return overwhelmed;
  }

  /** What was found, once the pass is over. */
  public PatternResult result() {
    if (overwhelmed) {
      return new PatternResult(List.of(), new PatternTotals(0, 0, 0, 0, 0));
    }
    List<PatternReport> reports = new ArrayList<>(tally.reports(places, tables));
    if (domain == PersistencyDomain.ADR) {
      Leftovers leftovers = new Leftovers(entries, lines, flushed, files, places);
      reports.addAll(leftovers.count().reports(places, tables));
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

  /** How many entries are kept for what is not persisted now. */
  int entriesKept() {
    return entries.count();
  }

  /** How many lines have something that is not persisted now. */
  int linesKept() {
    return lines.count();
  }

  /** How many slots are kept for the next fence of a thread. */
  int waitingKept(int thread) {
    return thread(thread).waitingCount();
  }
}
