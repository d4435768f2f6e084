// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.Departure;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.persistency.lines.LineObserver;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.WindowEnd;
import io.powercut.trace.AllocationEvent;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.LockKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.Frame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of the package, byte by byte, with no thought for time or memory. Only what is in
 * flight it asks a tracker.
 *
 * <p>Happens-before is a set of predecessors for each record; regions are looked for in the trace
 * as definition 2 of Vardalith says, and whether they overlap as the definition behind it says.
 */
final class SlowRaces implements TraceConsumer, LineObserver {
  private static final long NEVER = Long.MAX_VALUE;

  /** A record. */
  private record Action(
      int ordinal, int thread, @Nullable TraceEvent event, BitSet before, BitSet fullyBefore) {}

  /** A byte from its store on. */
  private static final class StoredByte {
    final long location;
    final int store;
    final int thread;
    final int stack;
    long end = NEVER;
    WindowEnd kind = WindowEnd.NEVER;
    int endThread;
    int endStack;

    StoredByte(long location, int store, int thread, int stack) {
      this.location = location;
      this.store = store;
      this.thread = thread;
      this.stack = stack;
    }

    void end(long ordinal, WindowEnd how, int by, int where) {
      end = ordinal;
      kind = how;
      endThread = by;
      endStack = where;
    }
  }

  private record Load(int ordinal, int thread, int stack, long location, long size) {
    boolean has(StoredByte one) {
      return one.location >= location && one.location < location + size;
    }
  }

  private record Use(int ordinal, int thread, long location, long size) {}

  /** A thread stored something, which was persisted later; or wrote output, both at once. */
  private record Lasting(int thread, long done, long lasts) {}

  /** A thread allocated memory in a function that it had entered before. */
  private record Allocation(int thread, long entered, long returned, long location, long size) {
    boolean has(long one) {
      return one >= location && one < location + size;
    }

    /** Whether the function itself stored that. */
    boolean isByIt(StoredByte one) {
      return one.thread == thread && one.store > entered && one.store < returned;
    }

    /** Whether one is about the memory before, and the other one about the new memory. */
    boolean separates(StoredByte one, Load load) {
      boolean isNewStore = one.store > returned || isByIt(one);
      boolean isNewLoad = load.ordinal() > returned || (isByIt(one) && load.ordinal() > one.store);
      return isNewStore != isNewLoad;
    }
  }

  /** By functions of the user. */
  private record Found(String store, WindowEnd end, String ended, String load) {}

  private final TraceTables tables;
  private final boolean dropsInitialisation;
  private final PersistencyDomain domain;
  private final CacheLineTracker tracker;
  private final Map<Integer, Action> actions = new TreeMap<>();
  private final Map<Integer, Integer> last = new HashMap<>();
  private final List<StoredByte> bytes = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();
  private final List<Use> uses = new ArrayList<>();
  private final List<Lasting> lasting = new ArrayList<>();
  private final List<Allocation> allocations = new ArrayList<>();
  private int lastOrdinal;
  private boolean hasSeveral;

  SlowRaces(TraceTables tables, PersistencyDomain domain, boolean dropsInitialisation) {
    this.tables = tables;
    this.domain = domain;
    this.dropsInitialisation = dropsInitialisation;
    this.tracker = CacheLineTracker.withoutContents(domain);
    tracker.tell(this);
  }

  /** A record, behind all that its thread did and that {@code others} are. */
  private void act(
      long ordinal,
      int thread,
      @Nullable TraceEvent event,
      List<Integer> others,
      List<Integer> othersByLocks) {
    BitSet before = new BitSet();
    BitSet fullyBefore = new BitSet();
    List<Integer> all = new ArrayList<>(others);
    if (last.containsKey(thread)) {
      all.add(last.get(thread));
    }
    for (int other : all) {
      before.set(other);
      before.or(action(other).before());
    }
    all.addAll(othersByLocks);
    for (int other : all) {
      fullyBefore.set(other);
      fullyBefore.or(action(other).fullyBefore());
    }
    lastOrdinal = (int) ordinal;
    actions.put((int) ordinal, new Action((int) ordinal, thread, event, before, fullyBefore));
    last.put(thread, (int) ordinal);
  }

  private void act(long ordinal, int thread) {
    act(ordinal, thread, null, List.of(), List.of());
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    act(store.ordinal(), store.thread());
    uses.add(new Use(lastOrdinal, store.thread(), store.location(), store.size()));
    if (domain == PersistencyDomain.EADR && !store.isNonTemporal()) {
      lasting.add(new Lasting(store.thread(), store.ordinal(), store.ordinal()));
    }
    tracker.store(store);
  }

  @Override
  public void inFlight(InFlightStore store, LineHistory line) {
    for (int index = 0; index < 64; index++) {
      if ((store.bytes() >>> index & 1) != 0) {
        long location = line.location() + index;
        for (StoredByte other : bytes) {
          if (other.location == location && other.end == NEVER) {
            other.end(store.ordinal(), WindowEnd.OVERWRITTEN, store.thread(), store.stack());
          }
        }
        bytes.add(new StoredByte(location, (int) store.ordinal(), store.thread(), store.stack()));
      }
    }
  }

  @Override
  public boolean followsDepartures() {
    return true;
  }

  @Override
  public void departed(InFlightStore store, long line, Departure departure) {
    if (departure.reason().isPersisted()) {
      lasting.add(new Lasting(store.thread(), store.ordinal(), departure.ordinal()));
    }
    WindowEnd kind = departure.reason().isPersisted() ? WindowEnd.PERSISTED : WindowEnd.OVERWRITTEN;
    for (StoredByte one : bytes) {
      if (one.store == store.ordinal() && one.location / 64 == line / 64 && one.end == NEVER) {
        one.end(departure.ordinal(), kind, departure.thread(), departure.stack());
      }
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    act(ordinal, thread);
    tracker.flush(ordinal, thread, kind, site, stack, location);
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    act(ordinal, thread);
    tracker.fence(ordinal, thread, kind, site, stack);
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size) {
    act(ordinal, thread);
    hasSeveral(ordinal, thread);
    uses.add(new Use(lastOrdinal, thread, location, size));
    loads.add(new Load(lastOrdinal, thread, stack, location, size));
  }

  @Override
  public void event(TraceEvent event) {
    List<Integer> others = new ArrayList<>();
    List<Integer> byLocks = new ArrayList<>();
    if (event instanceof TraceEvent.ThreadJoined joined && last.containsKey(joined.joined())) {
      others.add(last.get(joined.joined()));
    } else if (event instanceof TraceEvent.Acquired acquired) {
      for (Action one : actions.values()) {
        if (one.event() instanceof TraceEvent.Released released
            && released.object() == acquired.object()
            && released.kind() == acquired.kind()) {
          addReleased(one, released, acquired, others, byLocks);
        }
      }
    } else if (event instanceof TraceEvent.Output output) {
      lasting.add(new Lasting(output.thread(), output.ordinal(), output.ordinal()));
    }
    act(event.ordinal(), event.thread(), event, others, byLocks);
    if (event instanceof TraceEvent.ThreadStarted started && started.creator() != 0) {
      hasSeveral(event.ordinal(), event.thread());
      last.put(started.started(), (int) event.ordinal());
    }
    if (event instanceof TraceEvent.Allocated allocated) {
      allocate(allocated);
    }
    tracker.event(event);
  }

  /** Of stores of which only a part is in flight still, the rest no longer is. */
  private void hasSeveral(long ordinal, int thread) {
    for (StoredByte one : bytes) {
      if (!hasSeveral && one.end == NEVER && !isInFlight(one)) {
        one.end(ordinal, WindowEnd.PERSISTED, thread, 0);
      }
    }
    hasSeveral = true;
  }

  private boolean isInFlight(StoredByte one) {
    LineHistory line = tracker.line(one.location & -64L);
    return line != null
        && line.stores().stream()
            .anyMatch(
                store ->
                    store.ordinal() == one.store
                        && (store.bytes() >>> (one.location & 63) & 1) != 0);
  }

  private void allocate(TraceEvent.Allocated allocated) {
    Allocation allocation =
        new Allocation(
            allocated.thread(),
            entered(allocated),
            allocated.ordinal(),
            allocated.location(),
            allocated.size());
    allocations.add(allocation);
    for (StoredByte one : bytes) {
      if (one.end == NEVER && allocation.has(one.location) && !allocation.isByIt(one)) {
        one.end(allocated.ordinal(), WindowEnd.OVERWRITTEN, allocated.thread(), allocated.stack());
      }
    }
  }

  /** Where the thread entered the function that it is in, at that depth. */
  private long entered(TraceEvent.Allocated allocated) {
    long entered = NEVER;
    for (Action one : actions.values()) {
      if (one.thread() != allocated.thread()
          || !(one.event() instanceof AllocationEvent event)
          || event instanceof TraceEvent.Allocated
          || event.depth() > allocated.depth()) {
        continue;
      }
      boolean isEntry = event instanceof TraceEvent.Allocating;
      entered = isEntry && event.depth() == allocated.depth() ? one.ordinal() : NEVER;
    }
    return entered;
  }

  private void addReleased(
      Action action,
      TraceEvent.Released released,
      TraceEvent.Acquired acquired,
      List<Integer> others,
      List<Integer> byLocks) {
    if (released.kind() == LockKind.BARRIER) {
      long entered = lastRelease(acquired);
      if (entered >= 0
          && round(released) == round(requireNonNull(action(entered).event(), "no event"))) {
        others.add(action.ordinal());
      }
    } else if (!released.kind().isHeld()) {
      others.add(action.ordinal());
    } else if (!(acquired.isShared() && isShared(released))) {
      byLocks.add(action.ordinal());
    }
  }

  private long lastRelease(TraceEvent.Acquired acquired) {
    long found = -1;
    for (Action one : actions.values()) {
      if (one.thread() == acquired.thread()
          && isOf(one.event(), acquired.object(), LockKind.BARRIER)) {
        found = one.event() instanceof TraceEvent.Released ? one.ordinal() : -1;
      }
    }
    return found;
  }

  private static boolean isOf(@Nullable TraceEvent event, long object, LockKind kind) {
    return event instanceof io.powercut.trace.LockEvent lock
        && lock.object() == object
        && lock.kind() == kind;
  }

  /** Rounds of a barrier begin with the first thread that enters after one left. */
  private int round(TraceEvent entered) {
    TraceEvent.Released of = (TraceEvent.Released) entered;
    int round = 0;
    boolean left = false;
    for (Action one : actions.values()) {
      if (!isOf(one.event(), of.object(), LockKind.BARRIER)) {
        continue;
      }
      if (one.event() instanceof TraceEvent.Released) {
        round += left ? 1 : 0;
        left = false;
      } else if (round(one, of.object()) == round) {
        left = true;
      }
      if (one.ordinal() == of.ordinal()) {
        break;
      }
    }
    return round;
  }

  /** The round that a thread leaves. */
  private int round(Action left, long object) {
    TraceEvent entered = null;
    for (Action one : actions.values()) {
      if (one.ordinal() < left.ordinal()
          && one.thread() == left.thread()
          && isOf(one.event(), object, LockKind.BARRIER)) {
        entered = one.event() instanceof TraceEvent.Released ? one.event() : null;
      }
    }
    return entered == null ? -1 : round(entered);
  }

  /** Whether what a thread gives back it had together with other readers. */
  private boolean isShared(TraceEvent.Released released) {
    return held(released.ordinal(), released.thread()).values().stream()
        .anyMatch(lock -> lock.object() == released.object() && lock.isShared());
  }

  /** The locks that a thread holds before a record, by the ordinal of their acquire. */
  private Map<Long, TraceEvent.Acquired> held(long ordinal, int thread) {
    Map<Long, TraceEvent.Acquired> held = new TreeMap<>();
    Map<Long, Integer> depths = new HashMap<>();
    for (Action one : actions.values()) {
      if (one.thread() != thread || one.ordinal() >= ordinal) {
        continue;
      }
      if (one.event() instanceof TraceEvent.Acquired acquired && acquired.kind().isHeld()) {
        if (depths.merge(acquired.object(), 1, Integer::sum) == 1) {
          held.put(acquired.ordinal(), acquired);
        }
      } else if (one.event() instanceof TraceEvent.Released released
          && depths.getOrDefault(released.object(), 0) > 0
          && depths.merge(released.object(), -1, Integer::sum) == 0) {
        held.values().removeIf(lock -> lock.object() == released.object());
      }
    }
    return held;
  }

  private boolean isBefore(long one, long other) {
    return one != NEVER && action(other).before().get((int) one);
  }

  private boolean isFullyBefore(long one, long other) {
    return one != NEVER && other != NEVER && action(other).fullyBefore().get((int) one);
  }

  private boolean isProtected(StoredByte one, Load load) {
    if (one.end != NEVER && one.endThread != one.thread) {
      return false;
    }
    Map<Long, TraceEvent.Acquired> effective = held(one.store, one.thread);
    effective.keySet().retainAll(held(one.end, one.thread).keySet());
    for (TraceEvent.Acquired mine : effective.values()) {
      for (TraceEvent.Acquired theirs : held(load.ordinal(), load.thread()).values()) {
        if (mine.object() == theirs.object() && !(mine.isShared() && theirs.isShared())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isAcquire(Action action) {
    return action.event() instanceof TraceEvent.Acquired
        || action.event() instanceof TraceEvent.ThreadJoined;
  }

  private boolean isRelease(Action action) {
    return action.event() instanceof TraceEvent.Released
        || action.event() instanceof TraceEvent.ThreadStarted
        || action.event() instanceof TraceEvent.ThreadExited;
  }

  /** The acquire before a record: where its region begins. The thread's first, if there is none. */
  private long begin(long ordinal, int thread) {
    long begin = -1;
    for (Action one : actions.values()) {
      if (one.thread() == thread && one.ordinal() <= ordinal && (begin < 0 || isAcquire(one))) {
        begin = one.ordinal();
      }
    }
    return begin;
  }

  /** The release behind a record: where its region ends. The thread's last, if there is none. */
  private long end(long ordinal, int thread) {
    long end = NEVER;
    for (Action one : actions.values()) {
      if (one.thread() == thread && one.ordinal() >= ordinal) {
        end = one.ordinal();
        if (isRelease(one)) {
          break;
        }
      }
    }
    return end;
  }

  /** Whether the regions overlap; both are as large as they may be. */
  private boolean doOverlap(StoredByte one, Load load) {
    long begin = begin(one.store, one.thread);
    long end = one.end == NEVER ? NEVER : end(one.end, one.endThread);
    long loadBegin = begin(load.ordinal(), load.thread());
    long loadEnd = end(load.ordinal(), load.thread());
    if (one.endThread == load.thread() && one.end != NEVER) {
      // Beyond the definition: the reader ended it itself.
      return one.end > load.ordinal() && !isFullyBefore(loadEnd, begin);
    }
    return !isFullyBefore(loadEnd, begin) && !isFullyBefore(end, loadBegin);
  }

  /** The same in time. */
  private boolean doOverlapInTime(StoredByte one, Load load) {
    return beginInTime(one.store, one.thread) < endInTime(load.ordinal(), load.thread())
        && beginInTime(load.ordinal(), load.thread())
            < (one.end == NEVER ? NEVER : endInTime(one.end, one.endThread));
  }

  private long beginInTime(long ordinal, int thread) {
    long begin = -1;
    for (Action one : actions.values()) {
      boolean isAcquire =
          (one.thread() == thread && isAcquire(one))
              || (one.event() instanceof TraceEvent.ThreadStarted started
                  && started.started() == thread);
      if (isAcquire && one.ordinal() < ordinal) {
        begin = one.ordinal();
      }
    }
    return begin;
  }

  private long endInTime(long ordinal, int thread) {
    for (Action one : actions.values()) {
      if (one.thread() == thread && one.ordinal() > ordinal && isRelease(one)) {
        return one.ordinal();
      }
    }
    return NEVER;
  }

  private boolean isUnordered(StoredByte one, Load load) {
    return !isBefore(load.ordinal(), one.store)
        && !(one.end != NEVER && one.end < load.ordinal() && isBefore(one.end, load.ordinal()));
  }

  private boolean isInitialisation(StoredByte one) {
    Set<Integer> threads = new HashSet<>();
    long newSince = -1;
    for (Allocation allocation : allocations) {
      if (!allocation.has(one.location)) {
        continue;
      }
      if (allocation.isByIt(one) && one.end < allocation.returned()) {
        return dropsInitialisation;
      }
      if (allocation.returned() < one.end) {
        newSince = allocation.returned();
        threads.clear();
        if (bytes.stream()
            .anyMatch(
                other ->
                    other.location == one.location
                        && allocation.isByIt(other)
                        && other.end > allocation.returned())) {
          threads.add(allocation.thread());
        }
      }
    }
    for (Use use : uses) {
      if (use.ordinal() > newSince
          && use.ordinal() <= one.end
          && one.location >= use.location()
          && one.location < use.location() + use.size()) {
        threads.add(use.thread());
      }
    }
    return dropsInitialisation && threads.size() < 2;
  }

  private @Nullable RaceEvidence evidence(StoredByte one, Load load) {
    if (one.store < load.ordinal() && load.ordinal() < one.end) {
      boolean hasConsequence =
          lasting.stream()
              .anyMatch(
                  last ->
                      last.thread() == load.thread()
                          && last.done() > load.ordinal()
                          && last.lasts() < one.end);
      return hasConsequence ? RaceEvidence.CONSEQUENCE : RaceEvidence.OBSERVED;
    }
    if (isInitialisation(one) || !isUnordered(one, load) || isProtected(one, load)) {
      return null;
    }
    return doOverlap(one, load) ? RaceEvidence.REGION : RaceEvidence.LOCKSET;
  }

  /** What {@link RaceAnalysisTest#describe} says of each race. */
  Set<String> result() {
    Map<Found, RaceEvidence> strongest = new HashMap<>();
    Map<Found, Set<List<Long>>> observations = new HashMap<>();
    Set<Found> overlapping = new HashSet<>();
    for (StoredByte one : bytes) {
      for (Load load : loads) {
        if (one.end == one.store
            || load.thread() == one.thread
            || !load.has(one)
            || allocations.stream()
                .anyMatch(all -> all.has(one.location) && all.separates(one, load))) {
          continue;
        }
        RaceEvidence evidence = evidence(one, load);
        if (evidence == null) {
          continue;
        }
        Found found =
            new Found(
                function(one.stack), one.kind, function(one.endStack), function(load.stack()));
        strongest.merge(found, evidence, RaceEvidence::or);
        if (evidence == RaceEvidence.REGION && doOverlapInTime(one, load)) {
          overlapping.add(found);
        }
        if (evidence.compareTo(RaceEvidence.OBSERVED) >= 0) {
          observations
              .computeIfAbsent(found, fresh -> new HashSet<>())
              .add(List.of((long) one.store, one.location / 64, one.end, (long) load.ordinal()));
        }
      }
    }
    Set<String> result = new TreeSet<>();
    strongest.forEach(
        (found, evidence) ->
            result.add(
                describe(
                    found,
                    evidence,
                    overlapping.contains(found),
                    observations.getOrDefault(found, Set.of()))));
    return result;
  }

  private String describe(
      Found found, RaceEvidence evidence, boolean overlaps, Set<List<Long>> observations) {
    return evidence.name().toLowerCase(Locale.ROOT)
        + ": "
        + found.store()
        + ", "
        + found.end()
        + (found.ended().isEmpty() ? "" : " " + found.ended())
        + ", "
        + found.load()
        + (observations.isEmpty() ? "" : " x" + observations.size())
        + (overlaps && evidence == RaceEvidence.REGION ? " at once" : "");
  }

  private String function(int stack) {
    if (stack == 0) {
      return "";
    }
    for (Frame frame : tables.stack(stack).frames()) {
      if (!frame.function().equals("memcpy")) {
        return frame.function();
      }
    }
    throw new IllegalArgumentException("no user's code in " + tables.stack(stack));
  }

  private Action action(long ordinal) {
    return requireNonNull(actions.get((int) ordinal), "no such action");
  }
}
