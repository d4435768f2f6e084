// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static io.powercut.persistency.ranges.LineRange.lineOf;
import static java.util.Objects.requireNonNull;

import io.powercut.persistency.FileChanges;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.ranges.DeclaredRanges;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.persistency.ranges.PmFiles;
import io.powercut.persistency.scratch.Scratch;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FileEvent;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a trace and keeps, for each cache line, what a power cut could take away: the stores that
 * are not guaranteed to have persisted, in order, and what was there before them. The rules are
 * those of {@linkplain io.powercut.persistency.lines the package}.
 *
 * <p>Lines that nothing was done to for a while are kept in few bytes: those that a loop or a call
 * stored to cost little more than one of them, and what they hold is in a {@link Scratch}. Only a
 * line with very many in-flight stores forgets those in the middle, which {@link
 * CrashStates#isComplete} says; states that are not possible never appear. Not safe for use by
 * several threads; the snapshots are.
 */
public final class CacheLineTracker implements TraceConsumer, Closeable {
  /** So many lines are kept with all that is known of them. */
  public static final int MOST_HOT_LINES = 1024;

  /** And so many where lines are used again that nothing was done to for a while. */
  private static final int MOST_REUSED_LINES = 4096;

  private final PersistencyDomain domain;
  private final boolean keepsValues;
  private final StorePlaces numbers;
  private final LineObservers observers = new LineObservers();
  private final InFlightPlaces places;
  private final TrackedLines lines;
  private final FenceEffects fences;
  private final RangeEffects effects;
  private final PmFiles files = new PmFiles();
  private final DeclaredRanges ranges = new DeclaredRanges();
  private final FileChanges fileChanges = new FileChanges();
  private final Events events = new Events();
  private boolean isClosed;
  private final PersistMeans means = new PersistMeans();

  /** The place of the last store in the trace, whatever it went to. */
  private long lastStore = -1;

  /** The place right before the last change of names or sizes of files in the trace. */
  private long lastFileChange = -1;

  /** The same without those by which a file only grows. */
  private long lastChangeButGrowth = -1;

  /**
   * Begins in front of a trace's first record.
   *
   * @param contents the files as the records before the current one left them: who changes them by
   *     the same trace must get each record after this
   */
  public CacheLineTracker(PersistencyDomain domain, PmContents contents) {
    this(domain, contents, StorePlaces.INSTRUCTIONS);
  }

  /** The same with places in the code other than instructions. */
  public CacheLineTracker(PersistencyDomain domain, PmContents contents, StorePlaces places) {
    this(domain, contents, true, MOST_HOT_LINES, MOST_REUSED_LINES, places);
  }

  /** The same with a limit of lines that are kept with all that is known of them. */
  public CacheLineTracker(PersistencyDomain domain, PmContents contents, int mostHotLines) {
    this(domain, contents, true, mostHotLines, mostHotLines, StorePlaces.INSTRUCTIONS);
  }

  private CacheLineTracker(
      PersistencyDomain domain,
      PmContents contents,
      boolean keepsValues,
      int mostHotLines,
      int mostReusedLines,
      StorePlaces places) {
    this.domain = requireNonNull(domain, "domain is null");
    this.keepsValues = keepsValues;
    this.numbers = places;
    this.places = new InFlightPlaces(observers, places);
    this.lines =
        new TrackedLines(
            requireNonNull(contents, "contents is null"),
            mostHotLines,
            mostReusedLines,
            this.places,
            observers);
    this.fences = new FenceEffects(lines);
    this.effects = new RangeEffects(lines);
  }

  /**
   * One that knows which stores are in flight, and not what they stored: for observers where nobody
   * asks for crash states.
   */
  public static CacheLineTracker withoutContents(PersistencyDomain domain) {
    return new CacheLineTracker(
        domain,
        (file, offset, into) -> {},
        false,
        MOST_HOT_LINES,
        MOST_REUSED_LINES,
        StorePlaces.INSTRUCTIONS);
  }

  /** Whether it knows what was stored; without contents, it knows only where. */
  public boolean keepsValues() {
    return keepsValues;
  }

  /** Has an observer told of what comes from now on. */
  public void tell(LineObserver observer) {
    observers.add(observer);
  }

  /** The persistency domain whose rules this follows. */
  public PersistencyDomain domain() {
    return domain;
  }

  /**
   * The contents are about to go, and with them what does not fit in memory. Lines could be read as
   * long as memory has them, so asking for them is refused at any time from now on.
   */
  @Override
  public void close() {
    isClosed = true;
  }

  /** How many lines have something in flight, in whatever files. */
  public long size() {
    return lines.size();
  }

  /** Hands out the lines with something in flight in files that a power cut leaves, in no order. */
  public void forEachLine(Consumer<LineHistory> receiver) {
    if (isClosed) {
      throw new IllegalStateException("the lines are asked for after their contents are gone");
    }
    lines.forEach(files, receiver);
  }

  /**
   * The line at a location, behind the last record told; nothing if nothing of it is in flight.
   * Valid until the next record, and not to be changed.
   */
  public @Nullable LineHistory line(long location) {
    return lines.find(location);
  }

  /** The lines with something in flight right now, behind the last record told. */
  public LinesInFlight inFlight() {
    return lines.inFlight(files);
  }

  /**
   * Whether an instruction has persisted something by now: a flush of persistent memory, or a store
   * past the cache. Else the program leaves that to system calls.
   */
  public boolean isCacheFlushed() {
    return means.areInstructions();
  }

  /** Whether nothing has persisted anything by now, so that it is not known what is going to. */
  public boolean isNothingPersisted() {
    return means.areUnknown();
  }

  /** What has persisted each file by now. */
  public PersistMeans means() {
    return means;
  }

  /**
   * Stores without the bytes that nobody needs after a crash. A store with no other bytes is left
   * out.
   *
   * @param line the location of the line that they are in flight in
   */
  public List<InFlightStore> withoutTransient(List<InFlightStore> stores, long line) {
    if (ranges.hasNoTransient()) {
      return stores;
    }
    List<InFlightStore> left = new ArrayList<>();
    for (InFlightStore store : stores) {
      long bytes = ranges.transientBytes(line, store.ordinal());
      if ((store.bytes() & ~bytes) != 0) {
        left.add(store.without(bytes));
      }
    }
    return left;
  }

  /**
   * Whether nobody needs after a crash any of the bytes that a store put into a line.
   *
   * @param line the location of the line that it is in flight in
   */
  public boolean isTransient(InFlightStore store, long line) {
    return !ranges.hasNoTransient()
        && (store.bytes() & ~ranges.transientBytes(line, store.ordinal())) == 0;
  }

  /**
   * Which places in the code have stores in flight, as a number: the same for the same set, 0 when
   * nothing is. Costs nothing.
   */
  public long inFlightPlaces() {
    return places.set();
  }

  /** The places that {@link #inFlightPlaces} stands for. */
  public Set<Integer> placesInFlight() {
    return places.places();
  }

  /**
   * When the last store was made of which a part is not in flight any more: it has persisted, or
   * its file is gone. -1 if there is none.
   */
  public long lastDeparted() {
    return places.lastDeparted();
  }

  /**
   * The place in the trace right before names or sizes of files changed last, or directories did;
   * -1 if they never did. No crash state undoes that.
   */
  public long lastFileChange() {
    return lastFileChange;
  }

  /**
   * The same of the last change but those by which a file only grows, as where data are appended.
   */
  public long lastChangeButGrowth() {
    return lastChangeButGrowth;
  }

  /** What counts as one place. */
  public StorePlaces numbers() {
    return numbers;
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    ThreadProgress thread = lines.thread(store.thread());
    long event = thread.event(store);
    long instruction = thread.instruction(event, store);
    lastStore = store.ordinal();
    fileChanges.store(store);
    observers.stored(store, event);
    int file = Location.file(store.location());
    if (files.isGone(file)) {
      return;
    }
    if (store.isNonTemporal()) {
      means.flush(file);
    }
    // What lies behind the file's end, in its last page, is in no file.
    long inFile = files.size(file) - Location.offset(store.location());
    long end = store.location() + Math.min(store.size(), inFile);
    for (long from = store.location(); from < end; from = lineOf(from) + LineRange.LINE) {
      int length = (int) (Math.min(end, lineOf(from) + LineRange.LINE) - from);
      store(store, event, instruction, from, length);
    }
    if (store.isSynchronousWrite() && store.location() < end) {
      observers.wroteSynchronously(new LineRange(lineOf(store.location()), lineOf(end - 1)));
    }
  }

  /** What it put into one line. */
  private void store(StoreRecord store, long event, long instruction, long from, int length)
      throws IOException {
    LineHistory line = lines.find(lineOf(from));
    boolean mayBeLost =
        domain != PersistencyDomain.EADR
            || store.isNonTemporal()
            || StoreFlags.isZeroed(store.flags());
    if (line == null && !mayBeLost) {
      return;
    }
    // What persists at once persists what came before it as well: that is not to be ignored.
    boolean persistsNow = !mayBeLost || StoreFlags.isSynchronousWrite(store.flags());
    int first = (int) (from - lineOf(from));
    long ignored =
        persistsNow ? 0 : ranges.ignored(lineOf(from)) & LineWords.bytes(first, first + length);
    boolean isAllIgnored = ignored == LineWords.bytes(first, first + length);
    if (line == null) {
      if (isAllIgnored) {
        return;
      }
      line = lines.begin(lineOf(from));
    }
    int group = store.isNonTemporal() || isAllIgnored ? 0 : line.groupOf(instruction);
    InFlightStore part =
        keepsValues
            ? new InFlightStore(event, group, store, from, length)
            : InFlightStore.withoutValue(event, group, store, from, length);
    if (ignored != 0) {
      line.ignore(isAllIgnored ? part : part.without(~ignored));
    }
    if (!isAllIgnored) {
      add(line, part.without(ignored), from);
    }
    lines.cool();
  }

  private void add(LineHistory line, InFlightStore store, long location) {
    if (!observers.isEmpty() && line.mayHaveInFlight(store.bytes())) {
      line.forEachNewest(
          store.bytes(), (older, bytes) -> overwritten(older, bytes, store, location));
    }
    observers.departing(Departure.Reason.FORGOTTEN, store.ordinal(), store.thread(), store.stack());
    lines.add(line, store);
    observers.inFlight(store, line);
    if (store.isNonTemporal()) {
      if (line.storedPastCache(store.thread())) {
        lines.thread(store.thread()).add(line);
      }
    } else if (domain == PersistencyDomain.EADR && !store.isZeroed()) {
      persisted(Departure.Reason.CACHE, store, line);
    } else if (StoreFlags.isSynchronousWrite(store.flags())) {
      persisted(Departure.Reason.SYNCHRONOUS_WRITE, store, line);
    }
  }

  private void overwritten(InFlightStore older, long bytes, InFlightStore newer, long location) {
    if (ranges.hasNoTransient()
        || (bytes & ~ranges.transientBytes(lineOf(location), older.ordinal())) != 0) {
      observers.overwritten(older, newer, location);
    }
  }

  private void persisted(Departure.Reason reason, InFlightStore store, LineHistory line) {
    observers.departing(reason, store.ordinal(), store.thread(), store.stack());
    lines.change(line, changed -> changed.guarantee(store::equals));
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    ThreadProgress progress = lines.thread(thread);
    boolean isVolatile = Location.isVolatile(location);
    if (!isVolatile) {
      means.flush(Location.file(location));
      progress.flushed(kind);
    }
    LineHistory line =
        isVolatile || domain == PersistencyDomain.EADR ? null : lines.find(lineOf(location));
    if (!observers.isEmpty()) {
      TraceEvent.Flush flush = new TraceEvent.Flush(ordinal, thread, kind, site, stack, location);
      observers.flushed(flush, effect(flush, line), line);
    }
    if (line == null) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      observers.departing(Departure.Reason.CLFLUSH, ordinal, thread, stack);
      lines.change(line, LineHistory::writeBack);
    } else if (line.flush(thread, new LineHistory.Flushed(ordinal, kind, site, stack))) {
      progress.add(line);
    }
    lines.cool();
  }

  private FlushEffect effect(TraceEvent.Flush flush, @Nullable LineHistory line) {
    if (Location.isVolatile(flush.location())) {
      return FlushEffect.VOLATILE;
    }
    if (files.isGone(Location.file(flush.location()))) {
      return FlushEffect.LOST_FILE;
    }
    if (domain == PersistencyDomain.EADR) {
      return FlushEffect.CACHE_IS_PERSISTENT;
    }
    if (line == null) {
      return ranges.ignored(lineOf(flush.location())) == 0
          ? FlushEffect.NOTHING_TO_WRITE_BACK
          : FlushEffect.IGNORED;
    }
    // clflush persists what another flush only covers.
    if (flush.kind() == FlushKind.CLFLUSH
        ? line.hasCached()
        : line.hasUseForFlush(flush.thread())) {
      return FlushEffect.WRITES_BACK;
    }
    if (ranges.ignored(line.location()) != 0) {
      return FlushEffect.IGNORED;
    }
    return line.hasCached() ? FlushEffect.NOTHING_TO_WRITE_BACK : FlushEffect.ONLY_NON_TEMPORAL;
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    ThreadProgress progress = lines.thread(thread);
    if (!observers.isEmpty()) {
      TraceEvent.Fence fence = new TraceEvent.Fence(ordinal, thread, kind, site, stack);
      observers.fenced(fence, progress, fences.awaiting(thread));
    }
    progress.fenced();
    observers.departing(Departure.Reason.FENCE, ordinal, thread, stack);
    fences.fence(thread);
  }

  @Override
  public void event(TraceEvent event) {
    fileChanges
        .of(event)
        .ifPresent(
            change -> {
              lastFileChange = event.ordinal() - 1;
              lastChangeButGrowth = change.grows() ? lastChangeButGrowth : lastFileChange;
            });
    event.dispatch(events);
  }

  /** What is done about a synchronisation, and about a change of a file. */
  private final class Events
      implements EventGroups<RuntimeException>,
          SyncEvent.Visitor<RuntimeException>,
          FileEvent.Visitor<RuntimeException> {
    @Override
    public void synchronisation(SyncEvent event) {
      event.accept(this);
    }

    @Override
    public void file(FileEvent event) {
      event.accept(this);
    }

    @Override
    public void range(TraceEvent.RangeDeclared event) {
      declared(event);
    }

    @Override
    public void visit(TraceEvent.Sync sync) {
      begun(sync);
    }

    @Override
    public void visit(TraceEvent.SyncEnded ended) {
      ended(ended);
    }

    @Override
    public void visit(TraceEvent.FileDefined defined) {
      files.define(defined);
    }

    @Override
    public void visit(TraceEvent.FileResized resized) {
      files.resize(resized.file(), resized.size());
      zero(resized, resized.file(), resized.size(), LineRange.WHOLE_FILE);
    }

    @Override
    public void visit(TraceEvent.FileZeroed zeroed) {
      if (!zeroed.isStored()) {
        zero(zeroed, zeroed.file(), zeroed.offset(), zeroed.offset() + zeroed.length());
      }
    }

    @Override
    public void visit(TraceEvent.FileLinked linked) {
      if (!linked.outside()) {
        files.name(linked.file());
      }
    }

    @Override
    public void visit(TraceEvent.FileRenamed renamed) {
      if (renamed.outside()) {
        lose(renamed, renamed.file());
      }
    }

    @Override
    public void visit(TraceEvent.FileDeleted deleted) {
      // A symbolic link has no number.
      if (deleted.file() != 0 && !deleted.hasOtherNames()) {
        lose(deleted, deleted.file());
      }
    }
  }

  private void begun(TraceEvent.Sync sync) {
    if (!observers.isEmpty()) {
      observers.synchronising(sync, files.ranges(sync));
    }
  }

  /** What was stored before a synchronisation that succeeded is persisted now. */
  private void ended(TraceEvent.SyncEnded ended) {
    if (!ended.isGuarantee()) {
      if (ended.hasFailed() && !observers.isEmpty()) {
        observers.failed(ended, files.ranges(ended.sync()));
      }
      return;
    }
    List<LineRange> ranges = files.ranges(ended.sync());
    if (!observers.isEmpty()) {
      long begin = ended.sync().ordinal();
      observers.synchronised(
          ended, ranges.stream().anyMatch(range -> effects.hasStores(range, begin)));
    }
    observers.departing(
        Departure.Reason.SYNC, ended.ordinal(), ended.thread(), ended.sync().stack());
    for (LineRange range : ranges) {
      means.synchronise(Location.file(range.first()));
      guarantee(range, ended.sync().ordinal());
    }
  }

  /** What was stored to lines before a place of the trace is persisted now. */
  private void guarantee(LineRange range, long ordinal) {
    if (lastStore < ordinal) {
      effects.drop(range);
      return;
    }
    effects.guarantee(range, ordinal);
  }

  private void lose(TraceEvent event, int file) {
    files.lose(file);
    observers.departing(Departure.Reason.GONE, event.ordinal(), event.thread(), 0);
    effects.drop(LineRange.of(file, 0, LineRange.WHOLE_FILE));
  }

  /** The program says what a range is. What is in flight in one that is ignored now is not lost. */
  private void declared(TraceEvent.RangeDeclared declared) {
    ranges.declare(declared);
    if (declared.kind() == TraceEvent.RangeKind.IGNORED
        && !Location.isVolatile(declared.location())) {
      long from = Location.offset(declared.location());
      int file = Location.file(declared.location());
      forget(declared, file, from, from + declared.size(), LineHistory::ignore);
    }
  }

  /** A range reads as zero from now on. */
  private void zero(TraceEvent event, int file, long from, long until) {
    forget(event, file, from, until, LineHistory::zero);
  }

  /** Nothing is in flight any more in a range. */
  private void forget(
      TraceEvent event, int file, long from, long until, RangeEffects.BytesChange change) {
    observers.departing(Departure.Reason.GONE, event.ordinal(), event.thread(), 0);
    effects.forget(file, from, until, change);
  }
}
