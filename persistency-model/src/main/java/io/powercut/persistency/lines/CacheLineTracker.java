// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static io.powercut.persistency.lines.LineRange.lineOf;
import static java.util.Objects.requireNonNull;

import io.powercut.persistency.FileChanges;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.scratch.Scratch;
import io.powercut.persistency.scratch.Segments;
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
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongIterator;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a trace and keeps, for each cache line, what a power cut could take away: the stores that
 * are not guaranteed to have persisted, in order, and what was there before them. The rules are
 * those of {@linkplain io.powercut.persistency.states the package}.
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

  /** So many stores to them are. */
  private static final int MOST_HOT_STORES = 1 << 17;

  /** Behind all locations, which have no sign. */
  private static final long EVERYWHERE = -1;

  private boolean isClosed;
  private final PersistencyDomain domain;
  private final PmContents contents;
  private final boolean keepsValues;
  private final int mostHotLines;
  private final PmFiles files = new PmFiles();
  private final DeclaredRanges ranges = new DeclaredRanges();
  private final Events events = new Events();
  private final FileChanges fileChanges = new FileChanges();

  /** Lines that something was done to just now, by location; the last one is last. */
  private final Long2ObjectLinkedOpenHashMap<LineHistory> lines =
      new Long2ObjectLinkedOpenHashMap<>();

  private final List<LineObserver> observers = new ArrayList<>();
  private final StorePlaces numbers;
  private final InFlightPlaces places;
  private final List<@Nullable ThreadProgress> threads = new ArrayList<>();
  private final byte[] lineBytes = new byte[LineWords.LINE];
  private final ColdLines cold = new ColdLines();
  private @Nullable LineCodec codec;

  /** To the lines that are not cold. */
  private int stores;

  private boolean isCacheFlushed;

  /** Whether an observer wants to know of each store that departs. */
  private boolean followsDepartures;

  /** Why stores depart just now. */
  private Departure departure = new Departure(Departure.Reason.GONE, 0, 0, 0);

  /** The place of the last store in the trace, whatever it went to. */
  private long lastStore = -1;

  /** The place right before the last change of names or sizes of files in the trace. */
  private long lastFileChange = -1;

  /**
   * Begins in front of a trace's first record.
   *
   * @param contents the files as the records before the current one left them: who changes them by
   *     the same trace must get each record after this
   */
  public CacheLineTracker(PersistencyDomain domain, PmContents contents) {
    this(domain, contents, MOST_HOT_LINES);
  }

  /** The same with places in the code other than instructions. */
  public CacheLineTracker(PersistencyDomain domain, PmContents contents, StorePlaces places) {
    this(domain, contents, true, MOST_HOT_LINES, places);
  }

  /** The same with a limit of lines that are kept with all that is known of them. */
  public CacheLineTracker(PersistencyDomain domain, PmContents contents, int mostHotLines) {
    this(domain, contents, true, mostHotLines, StorePlaces.INSTRUCTIONS);
  }

  private CacheLineTracker(
      PersistencyDomain domain,
      PmContents contents,
      boolean keepsValues,
      int mostHotLines,
      StorePlaces places) {
    this.domain = requireNonNull(domain, "domain is null");
    this.contents = requireNonNull(contents, "contents is null");
    this.keepsValues = keepsValues;
    this.mostHotLines = mostHotLines;
    this.numbers = places;
    this.places = new InFlightPlaces(this::departed, places);
  }

  /**
   * One that knows which stores are in flight, and not what they stored: for observers where nobody
   * asks for crash states.
   */
  public static CacheLineTracker withoutContents(PersistencyDomain domain) {
    return new CacheLineTracker(
        domain, (file, offset, into) -> {}, false, MOST_HOT_LINES, StorePlaces.INSTRUCTIONS);
  }

  /** Whether it knows what was stored; without contents, it knows only where. */
  public boolean keepsValues() {
    return keepsValues;
  }

  /** Has an observer told of what comes from now on. */
  public void tell(LineObserver observer) {
    observers.add(requireNonNull(observer, "observer is null"));
    followsDepartures |= observer.followsDepartures();
  }

  private void departed(InFlightStore store, long line) {
    if (followsDepartures) {
      for (LineObserver observer : observers) {
        if (observer.followsDepartures()) {
          observer.departed(store, line, departure);
        }
      }
    }
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
    return lines.size() + cold.size();
  }

  /** Hands out the lines with something in flight in files that a power cut leaves, in no order. */
  public void forEachLine(Consumer<LineHistory> receiver) {
    if (isClosed) {
      throw new IllegalStateException("the lines are asked for after their contents are gone");
    }
    for (LineHistory line : lines.values()) {
      if (files.isFound(Location.file(line.location()))) {
        receiver.accept(line);
      }
    }
    cold.moment()
        .visit(
            0,
            EVERYWHERE,
            (page, run) -> {
              for (int index = 0;
                  files.isFound(Location.file(page)) && index < run.count();
                  index++) {
                receiver.accept(decoded(page, run, index));
              }
              return true;
            });
  }

  /** A line of a run, which stays where it is. */
  private LineHistory decoded(long page, LineRun run, int index) {
    long location = page + (long) run.place(index) * LineWords.LINE;
    return new LineHistory(location, codec().decode(run, index), new InFlightPlaces());
  }

  /** The lines with something in flight right now, behind the last record told. */
  public LinesInFlight inFlight() {
    List<StoredLine> pending = new ArrayList<>(lines.size());
    for (LineHistory line : lines.values()) {
      if (files.isFound(Location.file(line.location()))) {
        pending.add(line.snapshot());
      }
    }
    pending.sort((one, other) -> Long.compareUnsigned(one.location(), other.location()));
    return new LinesInFlight(pending, cold.moment(), codec, files.found());
  }

  /**
   * Whether an instruction has persisted something by now: a flush of persistent memory, or a store
   * past the cache. Else the program leaves that to system calls.
   */
  public boolean isCacheFlushed() {
    return isCacheFlushed;
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

  /** What counts as one place. */
  public StorePlaces numbers() {
    return numbers;
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

  private ThreadProgress thread(int number) {
    while (threads.size() <= number) {
      threads.add(null);
    }
    ThreadProgress known = threads.get(number);
    if (known == null) {
      known = new ThreadProgress();
      threads.set(number, known);
    }
    return known;
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    ThreadProgress thread = thread(store.thread());
    long event = thread.event(store);
    long instruction = thread.instruction(event, store);
    lastStore = store.ordinal();
    fileChanges.store(store);
    for (LineObserver observer : observers) {
      observer.stored(store, event);
    }
    int file = Location.file(store.location());
    if (files.isGone(file)) {
      return;
    }
    isCacheFlushed |= store.isNonTemporal();
    // What lies behind the file's end, in its last page, is in no file.
    long inFile = files.size(file) - Location.offset(store.location());
    long end = store.location() + Math.min(store.size(), inFile);
    for (long from = store.location(); from < end; from = lineOf(from) + LineRange.LINE) {
      int length = (int) (Math.min(end, lineOf(from) + LineRange.LINE) - from);
      store(store, event, instruction, from, length);
    }
    if (store.isSynchronousWrite() && store.location() < end) {
      LineRange range = new LineRange(lineOf(store.location()), lineOf(end - 1));
      for (LineObserver observer : observers) {
        observer.wroteSynchronously(range);
      }
    }
  }

  /** What it put into one line. */
  private void store(StoreRecord store, long event, long instruction, long from, int length)
      throws IOException {
    LineHistory line = find(lineOf(from));
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
      line = begin(lineOf(from));
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
      add(line, part.without(ignored), from, thread(store.thread()));
    }
    cool();
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
    LineHistory line = new LineHistory(location, codec().decode(run, index), places);
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
            ThreadProgress waiting = thread(number);
            waiting.remove(line);
            waiting.addPage(ColdLines.page(location));
          });
    }
  }

  /** Whether what stored to a line last may go on with it. */
  private boolean isUnfinished(LineHistory line) {
    for (ThreadProgress thread : threads) {
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
    LineHistory line = new LineHistory(location, lineBytes, places);
    lines.put(location, line);
    return line;
  }

  private void add(LineHistory line, InFlightStore store, long location, ThreadProgress thread) {
    if (line.mayHaveInFlight(store.bytes())) {
      for (LineObserver observer : observers) {
        line.forEachNewest(
            store.bytes(), (older, bytes) -> overwritten(observer, older, bytes, store, location));
      }
    }
    departing(Departure.Reason.FORGOTTEN, store.ordinal(), store.thread(), store.stack());
    int before = line.size();
    line.add(store);
    changed(line, before);
    for (LineObserver observer : observers) {
      observer.inFlight(store, line);
    }
    if (store.isNonTemporal()) {
      if (line.storedPastCache(store.thread())) {
        thread.add(line);
      }
    } else if (domain == PersistencyDomain.EADR && !store.isZeroed()) {
      departing(Departure.Reason.CACHE, store.ordinal(), store.thread(), store.stack());
      change(line, changed -> changed.guarantee(store::equals));
    } else if (StoreFlags.isSynchronousWrite(store.flags())) {
      departing(Departure.Reason.SYNCHRONOUS_WRITE, store.ordinal(), store.thread(), store.stack());
      change(line, changed -> changed.guarantee(store::equals));
    }
  }

  private void overwritten(
      LineObserver observer, InFlightStore older, long bytes, InFlightStore newer, long location) {
    if (ranges.hasNoTransient()
        || (bytes & ~ranges.transientBytes(lineOf(location), older.ordinal())) != 0) {
      observer.overwritten(older, newer, location);
    }
  }

  private void departing(Departure.Reason reason, long ordinal, int thread, int stack) {
    if (followsDepartures) {
      departure = new Departure(reason, ordinal, thread, stack);
    }
  }

  private interface Change {
    void on(LineHistory line);
  }

  /** Not for what happens at each store or fence: to make the closure costs more than it does. */
  private void change(LineHistory line, Change change) {
    int before = line.size();
    change.on(line);
    changed(line, before);
  }

  private void fence(LineHistory line, int thread) {
    int before = line.size();
    line.fence(thread);
    changed(line, before);
  }

  /**
   * A line has other stores in flight.
   *
   * @param before how many it had
   */
  private void changed(LineHistory line, int before) {
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
    if (line.isWaiting()) {
      line.forEachWait(thread -> thread(thread).remove(line));
    }
  }

  /** The same for a run of cold lines. */
  private void drop(long page, LineRun run) {
    LineRun runs = cold.runs(page);
    if (runs != null) {
      cold.replace(page, LineRun.withoutRun(runs, run), run.count());
      forget(page, run);
    }
  }

  private void forget(long page, LineRun run) {
    int alike = run.shape().isInline() || followsDepartures ? 1 : run.count();
    for (int index = 0; index < run.count(); index += alike) {
      for (InFlightStore store : codec().decode(run, index).stores()) {
        places.removeAlike(store, alike);
        places.departed(store.ordinal() + run.ordinal(index + alike - 1) - run.ordinal(index));
        departed(store, page + (long) run.place(index) * LineWords.LINE);
      }
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    ThreadProgress progress = thread(thread);
    boolean isVolatile = Location.isVolatile(location);
    if (!isVolatile) {
      isCacheFlushed = true;
      progress.flushed(kind);
    }
    LineHistory line =
        isVolatile || domain == PersistencyDomain.EADR ? null : find(lineOf(location));
    if (!observers.isEmpty()) {
      TraceEvent.Flush flush = new TraceEvent.Flush(ordinal, thread, kind, site, stack, location);
      FlushEffect effect = effect(flush, line);
      for (LineObserver observer : observers) {
        observer.flushed(flush, effect, line);
      }
    }
    if (line == null) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      departing(Departure.Reason.CLFLUSH, ordinal, thread, stack);
      change(line, LineHistory::writeBack);
    } else if (line.flush(thread, new LineHistory.Flushed(ordinal, kind, site, stack))) {
      progress.add(line);
    }
    cool();
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
    ThreadProgress progress = thread(thread);
    if (!observers.isEmpty()) {
      TraceEvent.Fence fence = new TraceEvent.Fence(ordinal, thread, kind, site, stack);
      for (LineObserver observer : observers) {
        observer.fenced(fence, progress, new Awaiting(thread, progress));
      }
    }
    progress.fenced();
    departing(Departure.Reason.FENCE, ordinal, thread, stack);
    for (LineHistory line : progress.take()) {
      fence(line, thread);
    }
    LongIterator pages = progress.takePages().iterator();
    while (pages.hasNext()) {
      fence(thread, pages.nextLong());
    }
  }

  /** The lines that wait for a thread's fence. */
  private final class Awaiting implements FencedLines {
    private final int thread;
    private final ThreadProgress progress;

    Awaiting(int thread, ThreadProgress progress) {
      this.thread = thread;
      this.progress = progress;
    }

    @Override
    public boolean isEmpty() {
      return progress.lines().stream().noneMatch(line -> line.isAwaited(thread))
          && progress.pages().longStream().noneMatch(page -> isAwaited(cold.runs(page), thread));
    }

    @Override
    public void forEach(Consumer<LineHistory> receiver) {
      progress.lines().forEach(receiver);
      LongIterator pages = progress.pages().iterator();
      while (pages.hasNext()) {
        long page = pages.nextLong();
        for (LineRun run = cold.runs(page); run != null; run = run.next()) {
          if (awaited(run, thread) != null) {
            int step = run.shape().isInline() ? 1 : Math.max(1, run.count() - 1);
            for (int index = 0; index < run.count(); index += step) {
              receiver.accept(decoded(page, run, index));
            }
          }
        }
      }
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
        fence(line, thread);
      }
      cool();
    }
  }

  @Override
  public void event(TraceEvent event) {
    if (fileChanges.of(event).isPresent()) {
      lastFileChange = event.ordinal() - 1;
    }
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
      List<LineRange> ranges = files.ranges(sync);
      for (LineObserver observer : observers) {
        observer.synchronising(sync, ranges);
      }
    }
  }

  /** What was stored before a synchronisation that succeeded is persisted now. */
  private void ended(TraceEvent.SyncEnded ended) {
    if (!ended.isGuarantee()) {
      return;
    }
    List<LineRange> ranges = files.ranges(ended.sync());
    if (!observers.isEmpty()) {
      long begin = ended.sync().ordinal();
      boolean isNeeded = ranges.stream().anyMatch(range -> hasStores(range, begin));
      for (LineObserver observer : observers) {
        observer.synchronised(ended, isNeeded);
      }
    }
    departing(Departure.Reason.SYNC, ended.ordinal(), ended.thread(), ended.sync().stack());
    for (LineRange range : ranges) {
      guarantee(range, ended.sync().ordinal());
    }
  }

  /** Whether stores before a place of the trace are in flight in lines. */
  private boolean hasStores(LineRange range, long ordinal) {
    for (LineHistory line : hotLines(range)) {
      if (line.stores().stream().anyMatch(store -> store.ordinal() < ordinal)) {
        return true;
      }
    }
    LongIterator pages = cold.pages(range.first(), range.last()).iterator();
    while (pages.hasNext()) {
      long page = pages.nextLong();
      for (LineRun run = cold.runs(page); run != null; run = run.next()) {
        for (int index = 0; index < run.count(); index++) {
          long location = page + (long) run.place(index) * LineWords.LINE;
          if (range.contains(location) && run.ordinal(index) < ordinal) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What was stored to lines before a place of the trace is persisted now. */
  private void guarantee(LineRange range, long ordinal) {
    if (lastStore < ordinal) {
      drop(range);
      return;
    }
    for (LineHistory line : hotLines(range)) {
      change(line, changed -> changed.guarantee(store -> store.ordinal() < ordinal));
    }
    LongIterator pages = cold.pages(range.first(), range.last()).iterator();
    while (pages.hasNext()) {
      guaranteeIn(pages.nextLong(), range, ordinal);
      cool();
    }
  }

  /** Cold lines of a page. */
  private void guaranteeIn(long page, LineRange range, long ordinal) {
    for (LineRun run = cold.runs(page); run != null; run = run.next()) {
      for (int index = 0; index < run.count(); index++) {
        long location = page + (long) run.place(index) * LineWords.LINE;
        if (range.contains(location)) {
          LineHistory line = warm(location, run, index);
          change(line, changed -> changed.guarantee(store -> store.ordinal() < ordinal));
        }
      }
    }
  }

  private void lose(TraceEvent event, int file) {
    files.lose(file);
    departing(Departure.Reason.GONE, event.ordinal(), event.thread(), 0);
    drop(LineRange.of(file, 0, LineRange.WHOLE_FILE));
  }

  /** Nothing is in flight any more in these lines. */
  private void drop(LineRange range) {
    hotLines(range).forEach(this::drop);
    LongIterator pages = cold.pages(range.first(), range.last()).iterator();
    while (pages.hasNext()) {
      dropIn(pages.nextLong(), range);
    }
  }

  private void dropIn(long page, LineRange range) {
    for (LineRun run = cold.runs(page); run != null; run = run.next()) {
      long begin = page + (long) run.place(0) * LineWords.LINE;
      long end = page + (long) run.place(run.count() - 1) * LineWords.LINE;
      if (range.contains(begin) && range.contains(end)) {
        drop(page, run);
        continue;
      }
      for (int index = 0; index < run.count(); index++) {
        long location = page + (long) run.place(index) * LineWords.LINE;
        if (range.contains(location)) {
          drop(warm(location, run, index));
        }
      }
    }
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

  /** What is done to some bytes of a line of which other bytes may still be in flight. */
  private interface BytesChange {
    void on(LineHistory line, long bytes);
  }

  /** Nothing is in flight any more in a range. */
  private void forget(TraceEvent event, int file, long from, long until, BytesChange change) {
    if (LineRange.isEmpty(from, until)) {
      return;
    }
    departing(Departure.Reason.GONE, event.ordinal(), event.thread(), 0);
    long to = Math.min(until, LineRange.WHOLE_FILE);
    LineRange range = LineRange.of(file, from, to);
    // Of the first and the last line, there may be other bytes.
    forgetInLine(range.first(), from, to, change);
    forgetInLine(range.last(), from, to, change);
    if (range.count() > 2) {
      drop(new LineRange(range.first() + LineRange.LINE, range.last() - LineRange.LINE));
    }
  }

  private void forgetInLine(long location, long from, long to, BytesChange change) {
    LineHistory line = find(location);
    if (line != null) {
      long start = Location.offset(location);
      int begin = (int) Math.max(0, from - start);
      int end = (int) Math.min(LineWords.LINE, to - start);
      change(line, changed -> change.on(changed, LineWords.bytes(begin, end)));
    }
    cool();
  }

  /** The lines of a range that are not cold. */
  private List<LineHistory> hotLines(LineRange range) {
    List<LineHistory> found = new ArrayList<>();
    if (range.count() <= lines.size()) {
      for (long line = range.first(); range.contains(line); line += LineRange.LINE) {
        LineHistory known = lines.get(line);
        if (known != null) {
          found.add(known);
        }
      }
      return found;
    }
    for (LineHistory line : lines.values()) {
      if (range.contains(line.location())) {
        found.add(line);
      }
    }
    return found;
  }
}
