package io.powercut.persistency.states;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows a trace and keeps, for each cache line, what a power cut could take away: the stores that
 * are not guaranteed to have persisted, in order, and what was there before them. The rules are
 * those of {@linkplain io.powercut.persistency.states the package}.
 *
 * <p>Lines that nothing was done to for a while are kept in few bytes: those that a loop or a call
 * stored to cost little more than one of them, and what they hold is in a {@link Scratch}. Only a
 * line with very many pending stores forgets those in the middle, which {@link
 * CrashStates#isComplete} says; states that are not possible never appear. Not safe for use by
 * several threads; the snapshots are.
 */
public final class PendingStores implements TraceConsumer {
  /** So many lines are kept with all that is known of them. */
  static final int MOST_HOT_LINES = 1024;

  /** So many stores to them are. */
  private static final int MOST_HOT_STORES = 1 << 17;

  /** What msync synchronises at least. */
  private static final long PAGE = 4096;

  private static final long WHOLE_FILE = 1L << Location.OFFSET_BITS;

  private final PersistencyDomain domain;
  private final PmContents contents;
  private final int mostHotLines;
  private final TracedFiles files = new TracedFiles();

  /** Lines that something was done to just now, by location; the last one is last. */
  private final Long2ObjectLinkedOpenHashMap<LineHistory> lines =
      new Long2ObjectLinkedOpenHashMap<>();

  private final InFlightSites sites = new InFlightSites();
  private final List<@Nullable WaitingLines> threads = new ArrayList<>();
  private final byte[] lineBytes = new byte[LineWords.LINE];
  private final ColdLines cold = new ColdLines();
  private @Nullable LineCodec codec;

  /** To the lines that are not cold. */
  private int stores;

  private boolean isCacheFlushed;

  /** The place of the last store in the trace, whatever it went to. */
  private long lastStore = -1;

  /**
   * Begins in front of a trace's first record.
   *
   * @param contents the files as the records before the current one left them: who changes them by
   *     the same trace must get each record after this
   */
  public PendingStores(PersistencyDomain domain, PmContents contents) {
    this(domain, contents, MOST_HOT_LINES);
  }

  PendingStores(PersistencyDomain domain, PmContents contents, int mostHotLines) {
    this.domain = requireNonNull(domain, "domain is null");
    this.contents = requireNonNull(contents, "contents is null");
    this.mostHotLines = mostHotLines;
  }

  /** What a power cut right now, behind the last record told, may leave. */
  public CrashStates crashStates() {
    List<StoredLine> pending = new ArrayList<>(lines.size());
    for (LineHistory line : lines.values()) {
      if (files.isFound(Location.file(line.location()))) {
        pending.add(line.snapshot());
      }
    }
    pending.sort((one, other) -> Long.compareUnsigned(one.location(), other.location()));
    return new CrashStates(
        new StoredLines(pending, cold.moment(), codec, files.found()), isCacheFlushed);
  }

  /**
   * Which instructions have stores in flight, as a number: the same for the same set, 0 when
   * nothing is. Costs nothing.
   */
  public long inFlightSites() {
    return sites.set();
  }

  /** The instructions that {@link #inFlightSites} stands for. */
  public Set<Integer> instructionsInFlight() {
    return sites.sites();
  }

  /**
   * Whether a flush right now would bring a store nearer to being guaranteed.
   *
   * @param location what is flushed
   */
  public boolean hasUseForFlush(int thread, long location) {
    LineHistory line = domain == PersistencyDomain.EADR ? null : find(lineOf(location));
    boolean hasUse = line != null && line.hasUseForFlush(thread);
    cool();
    return hasUse;
  }

  /** Whether a fence of the thread right now would guarantee something. */
  public boolean hasUseForFence(int thread) {
    WaitingLines waiting = thread(thread);
    return !waiting.isEmpty()
        || waiting.pages().longStream().anyMatch(page -> isAwaited(cold.runs(page), thread));
  }

  /** Whether a synchronisation that succeeds right now makes anything durable. */
  public boolean hasUseForSync(TraceEvent.Sync sync) {
    Range range = range(sync);
    return sync.kind().isGuarantee()
        && (!hotLines(range.first(), range.last()).isEmpty()
            || !cold.pages(range.first(), range.last()).isEmpty());
  }

  private static boolean isAwaited(@Nullable LineRun runs, int thread) {
    for (LineRun run = runs; run != null; run = run.next()) {
      if (awaited(run, thread) != null) {
        return true;
      }
    }
    return false;
  }

  private static LineShape.@Nullable Awaited awaited(LineRun run, int thread) {
    for (LineShape.Awaited one : run.shape().awaited()) {
      if (one.thread() == thread) {
        return one;
      }
    }
    return null;
  }

  private WaitingLines thread(int number) {
    while (threads.size() <= number) {
      threads.add(null);
    }
    WaitingLines known = threads.get(number);
    if (known == null) {
      known = new WaitingLines();
      threads.set(number, known);
    }
    return known;
  }

  private static long lineOf(long location) {
    return location & -LineWords.LINE;
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
      int offset)
      throws IOException {
    WaitingLines waiting = thread(thread);
    long event = waiting.event(ordinal, flags);
    long instruction = waiting.instruction(event, flags, site);
    lastStore = ordinal;
    int file = Location.file(location);
    if (files.isGone(file)) {
      return;
    }
    // What lies behind the file's end, in its last page, is in no file.
    long end = location + Math.min(size, files.size(file) - Location.offset(location));
    for (long from = location; from < end; from = lineOf(from) + LineWords.LINE) {
      int length = (int) (Math.min(end, lineOf(from) + LineWords.LINE) - from);
      boolean isNonTemporal = (flags & StoreFlags.NON_TEMPORAL) != 0;
      isCacheFlushed |= isNonTemporal;
      LineHistory line = find(lineOf(from));
      if (line == null) {
        if (domain == PersistencyDomain.EADR && !isNonTemporal) {
          continue;
        }
        line = begin(lineOf(from));
      }
      PendingStore store =
          new PendingStore(
              event,
              isNonTemporal ? 0 : line.groupOf(instruction),
              thread,
              flags,
              site,
              stack,
              (int) (from - lineOf(from)),
              length,
              bytes,
              offset + (int) (from - location));
      add(line, store, waiting);
      cool();
    }
  }

  /** What is known of a line with something in flight, which was asked for last then. */
  private @Nullable LineHistory find(long location) {
    LineHistory line = lines.getAndMoveToLast(location);
    if (line == null) {
      int place = ColdLines.place(location);
      LineRun run = LineRun.find(cold.runs(location), place);
      if (run != null) {
        line = warm(location, run, run.indexOf(place));
      }
    }
    return line;
  }

  private LineHistory warm(long location, LineRun run, int index) {
    LineHistory line = new LineHistory(location, codec().decode(run, index), sites);
    cold.remove(location);
    lines.put(location, line);
    stores += line.size();
    line.forEachWait(thread -> thread(thread).add(line));
    return line;
  }

  /** Keeps what was not asked for for longest in few bytes; never the last one. */
  private void cool() {
    while ((lines.size() > mostHotLines || stores > MOST_HOT_STORES) && lines.size() > 1) {
      LineHistory line = lines.removeFirst();
      long location = line.location();
      try {
        cold.add(location, codec().encode(line, ColdLines.place(location), isUnfinished(line)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      stores -= line.size();
      line.forEachWait(
          number -> {
            WaitingLines waiting = thread(number);
            waiting.remove(line);
            waiting.addPage(ColdLines.page(location));
          });
    }
  }

  /** Whether what stored to a line last may go on with it. */
  private boolean isUnfinished(LineHistory line) {
    for (WaitingLines thread : threads) {
      if (thread != null && thread.mayGoOnWith(line.lastCached())) {
        return true;
      }
    }
    return false;
  }

  private LineCodec codec() {
    LineCodec known = codec;
    if (known == null) {
      try {
        known = new LineCodec(new Segments(contents.newScratch()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      codec = known;
    }
    return known;
  }

  private LineHistory begin(long location) throws IOException {
    contents.read(Location.file(location), Location.offset(location), lineBytes);
    LineHistory line = new LineHistory(location, lineBytes, sites);
    lines.put(location, line);
    return line;
  }

  private void add(LineHistory line, PendingStore store, WaitingLines waiting) {
    change(line, changed -> changed.add(store));
    if (store.isNonTemporal()) {
      if (line.storedPastCache(store.thread())) {
        waiting.add(line);
      }
    } else if (domain == PersistencyDomain.EADR || StoreFlags.isSynchronousWrite(store.flags())) {
      change(line, changed -> changed.guarantee(store::equals));
    }
  }

  private interface Change {
    void on(LineHistory line);
  }

  private void change(LineHistory line, Change change) {
    int before = line.size();
    change.on(line);
    stores += line.size() - before;
    if (line.isEmpty()) {
      drop(line);
    }
  }

  /** Nothing of the line is pending any more. */
  private void drop(LineHistory line) {
    stores -= line.size();
    line.forget();
    lines.remove(line.location());
    line.forEachWait(thread -> thread(thread).remove(line));
  }

  /** The same for a run of cold lines. */
  private void drop(long page, LineRun run) {
    LineRun runs = cold.runs(page);
    if (runs != null) {
      cold.replace(page, LineRun.withoutRun(runs, run), run.count());
      forgetSites(run);
    }
  }

  private void forgetSites(LineRun run) {
    int alike = run.shape().isInline() ? 1 : run.count();
    for (int index = 0; index < run.count(); index += alike) {
      for (PendingStore store : codec().decode(run, index).stores()) {
        sites.remove(store, alike);
      }
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    isCacheFlushed |= !Location.isVolatile(location);
    LineHistory line = domain == PersistencyDomain.EADR ? null : find(lineOf(location));
    if (line == null) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      change(line, LineHistory::writeBack);
    } else if (line.flush(thread, ordinal)) {
      thread(thread).add(line);
    }
    cool();
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    WaitingLines waiting = thread(thread);
    for (LineHistory line : waiting.take()) {
      change(line, changed -> changed.fence(thread));
    }
    LongIterator pages = waiting.takePages().iterator();
    while (pages.hasNext()) {
      fence(thread, pages.nextLong());
    }
  }

  /** Cold lines of a page. */
  private void fence(int thread, long page) {
    for (LineRun run = cold.runs(page); run != null; run = run.next()) {
      LineShape.Awaited awaited = awaited(run, thread);
      if (awaited == null) {
        continue;
      }
      if (awaited.everything()) {
        drop(page, run);
        continue;
      }
      for (int index = 0; index < run.count(); index++) {
        LineHistory line = warm(page + (long) run.place(index) * LineWords.LINE, run, index);
        thread(thread).remove(line);
        change(line, changed -> changed.fence(thread));
      }
      cool();
    }
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.SyncEnded ended) {
      if (ended.isGuarantee()) {
        synchronise(ended.sync());
      }
    } else if (event instanceof TraceEvent.FileDefined defined) {
      files.define(defined);
    } else if (event instanceof TraceEvent.FileResized resized) {
      files.resize(resized.file(), resized.size());
      zero(resized.file(), resized.size(), WHOLE_FILE);
    } else if (event instanceof TraceEvent.FileZeroed zeroed) {
      zero(zeroed.file(), zeroed.offset(), zeroed.offset() + zeroed.length());
    } else if (event instanceof TraceEvent.FileLinked linked && !linked.outside()) {
      files.name(linked.file());
    } else if (event instanceof TraceEvent.FileRenamed renamed && renamed.outside()) {
      lose(renamed.file());
    } else if (event instanceof TraceEvent.FileDeleted deleted
        && deleted.file() != 0
        && !deleted.hasOtherNames()) {
      lose(deleted.file());
    }
  }

  /** What was stored in front of a synchronisation that succeeded is certain now. */
  private void synchronise(TraceEvent.Sync sync) {
    Range range = range(sync);
    guarantee(range.first(), range.last(), sync.ordinal());
  }

  /** Lines from one to another, that one too; locations have no sign. None when it is in front. */
  private record Range(long first, long last) {
    static final Range NOTHING = new Range(1, 0);
    static final Range EVERYTHING = new Range(0, StoredLines.LAST);
  }

  private static Range range(TraceEvent.Sync sync) {
    if (sync.kind() == SyncKind.SYNC) {
      return Range.EVERYTHING;
    }
    int file = Location.file(sync.location());
    long from = Location.offset(sync.location());
    long to = sync.length() == 0 ? WHOLE_FILE : from + sync.length();
    long end = sync.kind() == SyncKind.MSYNC ? (to + PAGE - 1) / PAGE * PAGE : to;
    long behind = Math.min(end, WHOLE_FILE);
    return from < behind
        ? new Range(lineOf(Location.of(file, from)), lineOf(Location.of(file, behind - 1)))
        : Range.NOTHING;
  }

  /**
   * What was stored to the lines from one to another, that one too, in front of a place of the
   * trace is certain now.
   */
  private void guarantee(long first, long last, long ordinal) {
    if (lastStore < ordinal) {
      drop(first, last);
      return;
    }
    for (LineHistory line : hotLines(first, last)) {
      change(line, changed -> changed.guarantee(store -> store.ordinal() < ordinal));
    }
    LongIterator pages = cold.pages(first, last).iterator();
    while (pages.hasNext()) {
      guaranteeIn(pages.nextLong(), first, last, ordinal);
      cool();
    }
  }

  /** Cold lines of a page. */
  private void guaranteeIn(long page, long first, long last, long ordinal) {
    for (LineRun run = cold.runs(page); run != null; run = run.next()) {
      for (int index = 0; index < run.count(); index++) {
        long location = page + (long) run.place(index) * LineWords.LINE;
        if (isBetween(location, first, last)) {
          LineHistory line = warm(location, run, index);
          change(line, changed -> changed.guarantee(store -> store.ordinal() < ordinal));
        }
      }
    }
  }

  private void lose(int file) {
    files.lose(file);
    dropIn(file, 0, WHOLE_FILE);
  }

  /** Nothing is pending any more in the lines that a range touches; its end is exclusive. */
  private void dropIn(int file, long from, long to) {
    long end = Math.min(to, WHOLE_FILE);
    if (from < end) {
      drop(lineOf(Location.of(file, from)), lineOf(Location.of(file, end - 1)));
    }
  }

  /** From one line to another, that one too; locations have no sign. */
  private void drop(long first, long last) {
    hotLines(first, last).forEach(this::drop);
    LongIterator pages = cold.pages(first, last).iterator();
    while (pages.hasNext()) {
      dropIn(pages.nextLong(), first, last);
    }
  }

  private void dropIn(long page, long first, long last) {
    for (LineRun run = cold.runs(page); run != null; run = run.next()) {
      long begin = page + (long) run.place(0) * LineWords.LINE;
      long end = page + (long) run.place(run.count() - 1) * LineWords.LINE;
      if (isBetween(begin, first, last) && isBetween(end, first, last)) {
        drop(page, run);
        continue;
      }
      for (int index = 0; index < run.count(); index++) {
        long location = page + (long) run.place(index) * LineWords.LINE;
        if (isBetween(location, first, last)) {
          drop(warm(location, run, index));
        }
      }
    }
  }

  private static boolean isBetween(long location, long first, long last) {
    return Long.compareUnsigned(location, first) >= 0 && Long.compareUnsigned(location, last) <= 0;
  }

  /** A range reads as zero from now on. */
  private void zero(int file, long from, long until) {
    long to = Math.min(until, WHOLE_FILE);
    if (from >= to) {
      return;
    }
    long first = lineOf(Location.of(file, from));
    long last = lineOf(Location.of(file, to - 1));
    // Of the first and the last line, there may be other bytes.
    zeroLine(first, from, to);
    zeroLine(last, from, to);
    drop(first + LineWords.LINE, last - LineWords.LINE);
  }

  private void zeroLine(long location, long from, long to) {
    LineHistory line = find(location);
    if (line != null) {
      long start = Location.offset(location);
      int begin = (int) Math.max(0, from - start);
      int end = (int) Math.min(LineWords.LINE, to - start);
      change(line, changed -> changed.zero(LineWords.bytes(begin, end)));
    }
    cool();
  }

  /** The lines of a range that are not cold. */
  private List<LineHistory> hotLines(long first, long last) {
    List<LineHistory> found = new ArrayList<>();
    if (Long.compareUnsigned(first, last) > 0) {
      return found;
    }
    long count = Long.divideUnsigned(last - first, LineWords.LINE) + 1;
    if (count <= lines.size()) {
      for (long number = 0; number < count; number++) {
        LineHistory line = lines.get(first + number * LineWords.LINE);
        if (line != null) {
          found.add(line);
        }
      }
      return found;
    }
    for (LineHistory line : lines.values()) {
      if (isBetween(line.location(), first, last)) {
        found.add(line);
      }
    }
    return found;
  }
}
