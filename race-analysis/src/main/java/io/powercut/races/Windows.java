// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.Departure;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.persistency.lines.LineObserver;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.races.found.Race;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.WindowEnd;
import io.powercut.trace.AllocationEvent;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what threads store, until it is persisted, with what they load. */
final class Windows implements LineObserver, AllocationEvent.Visitor<RuntimeException> {
  static final int LINE = 64;

  /** In so many lines initialisation is kept to see whether it is handed over. */
  private static final int MOST_LEFT_OUT = 100_000;

  private static final long NOWHERE = -1;

  private final RaceOptions options;
  private final CacheLineTracker tracker;
  private final Threads threads;
  private final Places places;
  private final OwnPersists late = new OwnPersists();
  private final Tally tally = new Tally(late);
  private final Allocations allocations = new Allocations(tally);
  private final Long2ObjectOpenHashMap<TouchedLine> lines = new Long2ObjectOpenHashMap<>();

  /** The line that was touched last; nothing at first. */
  private @Nullable TouchedLine latest;

  private long latestLine = NOWHERE;

  private final Readers readers;
  private final Room room;

  /** In how many lines initialisation was kept. */
  private int leftOut;

  private boolean handsOver;
  private boolean isActive;

  Windows(RaceOptions options, CacheLineTracker tracker, Threads threads, Places places) {
    this.options = options;
    this.readers = new Readers(options.followsReaders());
    this.room = new Room(options);
    this.tracker = tracker;
    this.threads = threads;
    this.places = places;
  }

  /** Whether what comes is reported. */
  void setActive(boolean active) {
    isActive = active;
  }

  /** Where more would have had to be kept, in words; none if nothing was left out. */
  List<String> limits(TraceTables tables) {
    if (!allocations.isComplete()) {
      room.reach(Room.Limit.ALLOCATIONS);
    }
    return room.limits(tables);
  }

  private static long lineOf(long location) {
    return location & -LINE;
  }

  /** The bytes of a line in a range, of which there are some. */
  static long bytesOf(long line, long from, long to) {
    long first = Math.max(from, line) - line;
    long count = Math.min(to, line + LINE) - line - first;
    return (count == LINE ? -1L : (1L << count) - 1) << first;
  }

  /** A thread uses a range. */
  void touch(int thread, long location, long size) {
    threads.use(thread);
    for (long line = lineOf(location); line < location + size; line += LINE) {
      if (!options.sample().has(line)) {
        continue;
      }
      TouchedLine touched = line == latestLine ? latest : lines.get(line);
      if (touched == null) {
        if (room.isFullOfLines(lines.size(), line)) {
          continue;
        }
        touched = new TouchedLine();
        lines.put(line, touched);
      }
      touched.touch(thread, bytesOf(line, location, location + size));
      latestLine = line;
      latest = touched;
    }
  }

  /** With eADR, what is stored through the cache is persisted. */
  @Override
  public void stored(StoreRecord record, long store) {
    acts(record.thread(), store, record);
    if (tracker.domain() == PersistencyDomain.EADR && !record.isNonTemporal()) {
      lasts(record.thread(), store, places.of(record.stack(), record.site()));
    }
  }

  @Override
  public void inFlight(InFlightStore store, LineHistory line) {
    Code code = places.of(store.stack(), store.site());
    TouchedLine touched = lines.get(line.location());
    if (touched == null) {
      return;
    }
    late.store(store.thread(), code.place(), line.location(), store.bytes());
    overwrite(store, code, touched);
    if (!isActive || !isWatched(store, code, line.location())) {
      return;
    }
    OpenWindow window = touched.open(store.ordinal());
    if (window == null) {
      if (room.isFull(line.location())) {
        return;
      }
      window = window(store, code, threads.get(store.thread()).now(), line.location());
      touched.add(window);
    }
    List<InFlightStore> all = line.stores();
    window.add(store.bytes(), all.get(all.size() - 1) == store);
  }

  /** Whether it may race. */
  private boolean isWatched(InFlightStore store, Code code, long line) {
    return !code.isIgnoredAt(line) && !tracker.isTransient(store, line);
  }

  private OpenWindow window(InFlightStore store, Code code, Moment moment, long line) {
    room.keep(1);
    return new OpenWindow(
        new Access(store.ordinal(), code, moment),
        new OpenWindow.Instruction(store.site(), store.isNonTemporal()),
        threads.get(store.thread()).stores(),
        line,
        tracker.keepsValues() ? Window.StoredUnit.of(store) : Window.StoredUnit.UNKNOWN);
  }

  /**
   * A second thread is about to begin: from now on, what the only one so far has in flight may
   * race. This is told by the tracker only of what comes. To hold a writer behind one of these
   * stores begins with the second thread, so they all have the number of the last one.
   */
  void open(SoleThread sole) {
    tracker.forEachLine(
        line -> {
          TouchedLine touched = lines.get(line.location());
          if (touched != null) {
            open(line, touched, sole);
          }
          if (line.forgotten() > 0) {
            room.reach(Room.Limit.IN_FLIGHT);
          }
        });
  }

  private void open(LineHistory line, TouchedLine touched, SoleThread sole) {
    long[] left = left(line, touched, sole);
    for (int index = 0; index < left.length; index++) {
      InFlightStore store = line.stores().get(index);
      OpenWindow window = touched.open(store.ordinal());
      if (window == null && (left[index] == 0 || room.isFull(line.location()))) {
        continue;
      }
      if (window == null) {
        Code code = places.of(store.stack(), store.site());
        Moment moment = threads.get(store.thread()).since(store.ordinal());
        window = window(store, code, moment, line.location());
        touched.add(window);
      }
      if (line.flushOf(store, store.thread()) != null) {
        window.flush();
      }
      window.add(left[index], true);
    }
  }

  /** Of each store in flight that the only thread made, the bytes that may race. */
  private long[] left(LineHistory line, TouchedLine touched, SoleThread sole) {
    List<InFlightStore> stores = line.stores();
    long[] left = new long[stores.size()];
    long newer = 0; // Stored by those behind the one that is looked at.
    long same = 0; // Stored by it, in parts behind that.
    for (int index = left.length - 1; index >= 0; index--) {
      InFlightStore store = stores.get(index);
      boolean isPart =
          index + 1 < left.length && stores.get(index + 1).ordinal() == store.ordinal();
      newer |= isPart ? 0 : same;
      same = store.bytes() | (isPart ? same : 0);
      if (sole.wasActive(store.ordinal())
          && isWatched(store, places.of(store.stack(), store.site()), line.location())) {
        left[index] = store.bytes() & touched.touched() & ~newer;
      }
    }
    return left;
  }

  /** The only thread so far has allocated memory. */
  void allocated(TraceEvent.Allocated allocated, SoleThread sole) {
    forEachTouched(
        allocated,
        (line, bytes, touched) ->
            touched.renew(
                bytes, allocated.thread(), bytes & storedSince(line, touched, allocated, sole)));
  }

  /** What it has stored there since it entered the function that allocates, and not persisted. */
  private long storedSince(
      long location, TouchedLine touched, TraceEvent.Allocated allocated, SoleThread sole) {
    LineHistory line = tracker.line(location);
    if (line == null) {
      return 0;
    }
    long stored = 0;
    long[] left = left(line, touched, sole);
    for (int index = 0; index < left.length; index++) {
      InFlightStore store = line.stores().get(index);
      if (allocations.isSince(
          store.ordinal(), store.thread(), allocated.thread(), allocated.depth())) {
        stored |= left[index];
      }
    }
    return stored;
  }

  /** A store comes over what others have in flight. */
  private void overwrite(InFlightStore store, Code code, TouchedLine line) {
    if (line.open().isEmpty()) {
      return;
    }
    Access ended = new Access(store.ordinal(), code, threads.get(store.thread()).now());
    for (OpenWindow window : List.copyOf(line.open())) {
      if (window.store().ordinal() != store.ordinal()) {
        long bytes = window.bytes() & store.bytes();
        if (bytes != 0) {
          late.cover(window.store(), window.line(), bytes, window.isFlushed(), ended);
        }
        end(window, bytes, WindowEnd.OVERWRITTEN, ended);
      }
    }
  }

  private @Nullable OpenWindow find(long line, long store) {
    TouchedLine touched = lines.get(line);
    return touched == null ? null : touched.open(store);
  }

  @Override
  public boolean followsDepartures() {
    return true;
  }

  @Override
  public void departed(InFlightStore store, long line, Departure departure) {
    if (departure.reason().isPersisted()) {
      lasts(store.thread(), store.ordinal(), places.of(store.stack(), store.site()));
    }
    OpenWindow window = find(line, store.ordinal());
    if (window == null) {
      return;
    }
    long bytes = window.depart(store.bytes()) & window.bytes();
    switch (departure.reason()) {
      case CLFLUSH, FENCE, SYNC, SYNCHRONOUS_WRITE, CACHE -> {
        if (departure.ordinal() == store.ordinal()) {
          forget(window, bytes);
        } else {
          end(window, bytes, WindowEnd.PERSISTED, access(departure));
        }
      }
      case GONE -> {
        late.lose(window.store(), line);
        end(window, bytes, WindowEnd.OVERWRITTEN, access(departure));
      }
      case FORGOTTEN -> {
        room.reach(Room.Limit.IN_FLIGHT);
        forget(window, bytes);
      }
    }
  }

  private Access access(Departure departure) {
    return access(
        departure.ordinal(),
        departure.thread(),
        departure.stack(),
        departure.reason() == Departure.Reason.FENCE);
  }

  private Access access(long ordinal, int number, int stack, boolean isFence) {
    Code code = places.of(stack);
    TracedThread thread = threads.get(number);
    boolean isReleasing = isFence && code.isReleasing();
    return new Access(ordinal, code, isReleasing ? thread.beforeRelease() : thread.now());
  }

  /** A thread flushes a line. */
  void flush(long ordinal, int thread, FlushKind kind, int stack, long location) {
    TouchedLine touched = lines.get(lineOf(location));
    for (OpenWindow window : touched == null ? List.<OpenWindow>of() : touched.open()) {
      if (window.store().thread() == thread) {
        window.flush();
      }
    }
    if (!late.follows(thread)) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      late.persist(access(ordinal, thread, stack, false), lineOf(location));
    } else {
      late.flush(thread, lineOf(location));
    }
  }

  /** A thread waits for what it flushed. */
  void fence(long ordinal, int thread, int stack) {
    if (late.follows(thread)) {
      late.fence(access(ordinal, thread, stack, true));
    }
  }

  /** Of what was stored over, it is not known what that persists. */
  @Override
  public void synchronising(TraceEvent.Sync sync, List<LineRange> ranges) {
    late.loseAll();
  }

  private void forget(OpenWindow window, long bytes) {
    window.end(bytes);
    TouchedLine line = lines.get(window.line());
    if (window.bytes() == 0 && line != null) {
      line.remove(window);
      room.keep(-1);
      readers.forget(window);
    }
  }

  private void end(OpenWindow open, long bytes, WindowEnd end, @Nullable Access ended) {
    TouchedLine line = lines.get(open.line());
    if (bytes == 0 || line == null) {
      return;
    }
    for (OpenWindow.Observation one : open.observations()) {
      long both = one.first().bytes() & bytes;
      Window window = window(open, end, ended, both);
      if (both != 0 && !window.isOfPmdkAlone(one.first().access())) {
        tally.add(
            one.evidence(bytes), window, one.first().access(), open.line(), both, one.count());
      }
    }
    forget(open, bytes);
    long visible = options.dropsInitialisation() ? bytes & line.shared() : bytes;
    if (visible != 0) {
      add(window(open, end, ended, visible), open.line(), line);
    }
    if (visible != bytes && end == WindowEnd.PERSISTED && !handsOver && threads.areSeveral()) {
      leaveOut(window(open, end, ended, bytes & ~visible), line);
    }
  }

  private Window window(OpenWindow open, WindowEnd end, @Nullable Access ended, long bytes) {
    return Window.of(open, end, ended, bytes, threads.get(open.store().thread()));
  }

  private void leaveOut(Window window, TouchedLine line) {
    leftOut += line.leftOut() == null ? 1 : 0;
    if (leftOut <= MOST_LEFT_OUT) {
      line.leaveOut(window);
    }
  }

  /** Whether another thread loads what was left out as initialisation, ordered by locks at most. */
  private static boolean isHandedOver(@Nullable Window leftOut, Load load) {
    return leftOut != null
        && (leftOut.bytes() & load.bytes()) != 0
        && !(leftOut.store().code().isOfPmdk() && load.access().code().isOfPmdk())
        && leftOut.evidence(load.access()) != null;
  }

  /**
   * Whether a thread loaded what another one had stored and persisted for itself, with nothing but
   * locks to order them. Had the other one been slower, it might have been loaded before the
   * persist.
   */
  boolean handsOver() {
    return handsOver;
  }

  private void add(Window window, long location, TouchedLine line) {
    for (Load load : line.loads()) {
      compare(window, load, location);
    }
    if (window.end() == WindowEnd.NEVER) {
      return;
    }
    // What may still turn out to be of other memory replaces nothing.
    boolean mayReplace = !allocations.isIn(window.store());
    room.hold(window.locks().size(), location);
    boolean isLike = mayReplace && line.hasLike(window);
    if (isLike || room.isFor(line.windows().size(), location)) {
      room.keep(line.keep(window, mayReplace, room.manyLocks()), isLike);
    }
  }

  private void compare(Window window, Load load, long location) {
    long bytes = window.bytes() & load.bytes();
    RaceEvidence evidence = bytes == 0 ? null : window.evidence(load.access());
    if (evidence == null || window.isOfPmdkAlone(load.access())) {
      return;
    }
    if (allocations.isIn(window.store())) {
      allocations.add(evidence, window, load.access(), location, bytes);
    } else {
      tally.add(evidence, window, load.access(), location, bytes, 0);
    }
  }

  /** A thread loads a range. */
  void load(long ordinal, int thread, Code code, long location, long size) {
    touch(thread, location, size);
    if (!isActive || code.isIgnored()) {
      return;
    }
    Access access = new Access(ordinal, code, threads.get(thread).now());
    for (long line = lineOf(location); line < location + size; line += LINE) {
      TouchedLine touched = lines.get(line);
      if (touched != null && !code.isIgnoredAt(line)) {
        load(new Load(access, bytesOf(line, location, location + size)), line, touched);
      }
    }
  }

  private void load(Load load, long location, TouchedLine line) {
    int thread = load.access().thread();
    for (OpenWindow window : line.open()) {
      long inFlight = window.bytes() & load.bytes();
      if (inFlight != 0
          && window.store().thread() != thread
          && window.observe(new Load(load.access(), inFlight))) {
        readers.observe(thread, window);
      }
    }
    handsOver = handsOver || isHandedOver(line.leftOut(), load);
    for (Window window : line.windows()) {
      compare(window, load, location);
    }
    room.hold(load.locks().size(), location);
    boolean isLike = line.hasLike(load);
    if (isLike || room.isFor(line.loads().size(), location)) {
      room.keep(line.keep(load, room.manyLocks()), isLike);
    }
  }

  /** A store may follow from what its thread loaded. */
  private void acts(int thread, long ordinal, StoreRecord record) {
    if (readers.isReader(thread) && !places.of(record.stack(), record.site()).isIgnored()) {
      readers.acts(thread, ordinal);
    }
  }

  /** A thread wrote output. */
  void wrote(int thread, long ordinal) {
    readers.acts(thread, ordinal);
    lasts(thread, ordinal, Code.UNKNOWN);
  }

  private void lasts(int thread, long ordinal, Code code) {
    if (!code.isIgnored()) {
      readers.lasts(thread, ordinal);
    }
  }

  /** A record is over: what was persisted by it was so at the same time. */
  void settle() {
    readers.settle();
  }

  /** Races whose reader has done something while what it loaded still is in flight. */
  List<RaceAnalysis.InFlight> takeInFlight(Race.Tried place) {
    return readers.takeInFlight(place);
  }

  /** What was found. */
  List<Race> races(TraceTables tables, LockWords lockWords) {
    return tally.races(places, tables, lockWords, readers::tried);
  }

  @Override
  public void visit(TraceEvent.Allocating allocating) {
    allocations.enter(allocating.thread(), allocating.depth(), allocating.ordinal());
  }

  @Override
  public void visit(TraceEvent.AllocationEnded ended) {
    allocations.leave(ended.thread(), ended.depth());
  }

  /** Nothing races with what was done to the memory before. */
  @Override
  public void visit(TraceEvent.Allocated allocated) {
    Access access =
        new Access(
            allocated.ordinal(),
            places.of(allocated.stack(), allocated.site()),
            threads.get(allocated.thread()).now());
    allocations.renew(allocated, options.dropsInitialisation());
    forEachTouched(allocated, (line, bytes, touched) -> renew(touched, bytes, allocated, access));
  }

  /** Is given a line, and which of its bytes were allocated. */
  private interface AllocatedLine {
    void visit(long line, long bytes, TouchedLine touched);
  }

  private void forEachTouched(TraceEvent.Allocated allocated, AllocatedLine visitor) {
    long end = allocated.location() + allocated.size();
    if (allocated.size() / LINE <= lines.size()) {
      for (long line = lineOf(allocated.location()); line < end; line += LINE) {
        TouchedLine touched = lines.get(line);
        if (touched != null) {
          visitor.visit(line, bytesOf(line, allocated.location(), end), touched);
        }
      }
      return;
    }
    lines.forEach(
        (line, touched) -> {
          if (line + LINE > allocated.location() && line < end) {
            visitor.visit(line, bytesOf(line, allocated.location(), end), touched);
          }
        });
  }

  private void renew(
      TouchedLine line, long bytes, TraceEvent.Allocated allocated, Access allocation) {
    long stored = 0;
    for (OpenWindow window : List.copyOf(line.open())) {
      if (isOfNewOwner(window.store(), allocated)) {
        stored |= window.bytes() & bytes;
      } else {
        late.lose(window.store(), window.line());
        end(window, window.bytes() & bytes, WindowEnd.OVERWRITTEN, allocation);
      }
    }
    line.renew(bytes, allocated.thread(), stored);
    room.keep(
        -line.forget(
            bytes,
            window -> !options.dropsInitialisation() && isOfNewOwner(window.store(), allocated)));
  }

  /** Whether the function that allocated the memory has stored that. */
  private boolean isOfNewOwner(Access store, TraceEvent.Allocated allocated) {
    return allocations.isSince(
        store.ordinal(), store.thread(), allocated.thread(), allocated.depth());
  }

  /** The trace is over. */
  void finish() {
    for (TouchedLine line : lines.values()) {
      for (OpenWindow window : List.copyOf(line.open())) {
        end(window, window.bytes(), WindowEnd.NEVER, null);
      }
    }
    allocations.end();
  }
}
