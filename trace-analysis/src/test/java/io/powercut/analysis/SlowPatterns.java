// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The patterns once more: byte by byte, slowly, with no thought for memory. Has no split stores
 * that overlap themselves.
 */
final class SlowPatterns implements TraceConsumer {
  /** A flush that waits for a fence. */
  private record Waiting(long since, String flush) {}

  /** A byte of a store that is not persisted. */
  private static final class Stored {
    final long location;
    final String place;
    final long event;
    final boolean reported;
    final boolean past;
    final int thread;

    /** By thread, the first of its flushes that covers this. */
    final Map<Integer, Waiting> waits = new TreeMap<>();

    boolean persisted;

    Stored(long location, String place, long event, boolean reported, boolean past, int thread) {
      this.location = location;
      this.place = place;
      this.event = event;
      this.reported = reported;
      this.past = past;
      this.thread = thread;
    }

    boolean isDirty() {
      return !past && waits.isEmpty();
    }

    boolean waitsFor(int fencing) {
      return past ? thread == fencing : waits.containsKey(fencing);
    }

    Waiting firstFlush() {
      return waits.values().stream()
          .min(Comparator.comparingLong(Waiting::since))
          .orElse(new Waiting(-1, ""));
    }

    /**
     * What persists first: of one unit whatever came before; of one line what was cached before.
     */
    boolean isBefore(Stored later) {
      boolean sameUnit = location / 8 == later.location / 8 && event <= later.event;
      boolean sameQueue = !past && !later.past && line(location) == line(later.location);
      return sameUnit || (sameQueue && event < later.event);
    }
  }

  private static final class Count {
    long count;
    long first = Long.MAX_VALUE;
    long location;
    long latest = -1;
  }

  private final TraceTables tables;
  private final boolean eadr;

  /** In the order in which they were stored. */
  private final List<Stored> inFlight = new ArrayList<>();

  private final Map<Integer, Long> sizes = new HashMap<>();
  private final Set<Integer> gone = new HashSet<>();
  private final Set<Long> everFlushed = new HashSet<>();

  /** The lines of calls that persist nothing. */
  private final Set<Long> everAsked = new HashSet<>();

  private final Set<Long> everInVain = new HashSet<>();

  private final Map<Long, String> latestFlush = new HashMap<>();
  private final Set<Integer> stored = new HashSet<>();
  private final Set<Integer> flushed = new HashSet<>();
  private final Set<Integer> flushedInOrder = new HashSet<>();
  private final Map<Integer, Long> unfinished = new HashMap<>();
  private final Map<String, Count> counts = new TreeMap<>();
  private boolean active = true;
  private boolean isSynchronised;
  private boolean isStored;
  private boolean isFlushedOrPast;

  SlowPatterns(TraceTables tables, PersistencyDomain domain) {
    this.tables = tables;
    this.eadr = domain == PersistencyDomain.EADR;
  }

  private String place(int stack) {
    return tables.stack(stack).innermost().function();
  }

  private boolean reported(int stack) {
    return active && !tables.isExcluded(stack);
  }

  private static long line(long location) {
    return location / 64;
  }

  private static void count(
      Map<String, Count> counts, String what, long unit, long event, long location) {
    Count count = counts.computeIfAbsent(what, key -> new Count());
    if (count.latest != unit) {
      count.latest = unit;
      count.count++;
    }
    if (event < count.first || (event == count.first && location < count.location)) {
      count.first = event;
      count.location = location;
    }
  }

  private void count(String what, long event, long location) {
    count(counts, what, event, event, location);
  }

  private List<Stored> ofLine(long line) {
    return inFlight.stream().filter(one -> line(one.location) == line).toList();
  }

  /** Those that nothing came over, by location. */
  private static List<Stored> newest(List<Stored> all) {
    TreeMap<Long, Stored> newest = new TreeMap<>();
    all.forEach(one -> newest.put(one.location, one));
    return List.copyOf(newest.values());
  }

  /** Makes some certain, and what must have persisted before. */
  private void persist(Predicate<Stored> first) {
    inFlight.forEach(one -> one.persisted = first.test(one));
    boolean more = true;
    while (more) {
      more = false;
      for (Stored one : inFlight) {
        if (!one.persisted
            && inFlight.stream().anyMatch(later -> later.persisted && one.isBefore(later))) {
          one.persisted = true;
          more = true;
        }
      }
    }
    inFlight.removeIf(one -> one.persisted);
  }

  @Override
  public void store(StoreRecord store) {
    long event = unfinished.getOrDefault(store.thread(), store.ordinal());
    boolean more = (store.flags() & StoreFlags.MORE) != 0;
    if (more) {
      unfinished.put(store.thread(), event);
    } else {
      unfinished.remove(store.thread());
    }
    stored.add(store.thread());
    isStored |= (store.flags() & (StoreFlags.FILE_WRITE | StoreFlags.KERNEL)) == 0;
    boolean past = (store.flags() & StoreFlags.NON_TEMPORAL) != 0;
    if (past) {
      isFlushedOrPast = true;
      flushed.add(store.thread());
    }
    int file = Location.file(store.location());
    if (gone.contains(file)) {
      return;
    }
    long location = store.location();
    int stack = store.stack();
    int thread = store.thread();
    long end = Math.min(location + store.size(), Location.of(file, sizes.getOrDefault(file, 0L)));
    for (long at = location; at < end; at++) {
      long here = at;
      List<Stored> old = newest(inFlight.stream().filter(one -> one.location == here).toList());
      if (!old.isEmpty() && old.get(0).event != event && reported(stack) && !eadr) {
        String what =
            "dirty-overwrite STORE=" + place(stack) + " OVERWRITTEN_STORE=" + old.get(0).place;
        count(what, event, Math.max(location, line(at) * 64));
      }
    }
    for (long at = location; at < end; at++) {
      inFlight.add(new Stored(at, place(stack), event, reported(stack), past, thread));
    }
    if (eadr && !past) {
      persist(one -> !one.past);
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    String flush = "FLUSH=" + place(stack);
    isFlushedOrPast = true;
    boolean reported = reported(stack);
    if (Location.isVolatile(location)) {
      if (reported) {
        count("redundant-flush (volatile) " + flush, ordinal, location);
      }
      return;
    }
    (kind == FlushKind.CLFLUSH ? flushedInOrder : flushed).add(thread);
    if (gone.contains(Location.file(location))) {
      return;
    }
    if (eadr) {
      if (reported) {
        count("redundant-flush (eadr) " + flush, ordinal, location);
      }
      return;
    }
    List<Stored> all = ofLine(line(location));
    List<Stored> cached = all.stream().filter(one -> !one.past).toList();
    boolean inOrder = kind == FlushKind.CLFLUSH;
    boolean useful =
        inOrder
            ? !cached.isEmpty()
            : cached.stream().anyMatch(one -> !one.waits.containsKey(thread));
    @Nullable String earlier = latestFlush.get(line(location));
    if (!useful && reported) {
      String why =
          cached.isEmpty() && !all.isEmpty()
              ? "(past) " + flush
              : earlier == null ? "(unwritten) " + flush : "(again) " + flush + " " + earlier;
      count("redundant-flush " + why, ordinal, location);
    }
    if (useful) {
      latestFlush.put(line(location), "EARLIER_" + flush);
      if (reported) {
        severalStores(flush, all, ordinal, location);
      }
    }
    everFlushed.add(line(location));
    if (inOrder) {
      persist(one -> !one.past && line(one.location) == line(location));
    } else {
      cached.forEach(one -> one.waits.putIfAbsent(thread, new Waiting(ordinal, flush)));
    }
  }

  private void severalStores(String flush, List<Stored> all, long ordinal, long location) {
    List<String> visible =
        newest(all).stream().filter(Stored::isDirty).map(one -> one.place).toList();
    List<String> places =
        all.stream()
            .filter(one -> one.isDirty() && visible.contains(one.place))
            .map(one -> one.place)
            .distinct()
            .toList();
    if (places.size() > 1) {
      String last = places.get(places.size() - 1);
      String what = flush + " STORE=" + places.get(0) + " STORE=" + last;
      count("multi-store-flush " + what, ordinal, location);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    boolean orders = (eadr ? stored : flushed).contains(thread);
    boolean inOrder = !eadr && flushedInOrder.contains(thread);
    boolean isReported = kind == FenceKind.SFENCE || (kind == FenceKind.MFENCE && !inOrder);
    if (!orders && isReported && reported(stack)) {
      String why = inOrder ? "redundant-fence (clflush) " : "redundant-fence ";
      count(why + kind + " FENCE=" + place(stack), ordinal, 0);
    }
    if (reported(stack)) {
      severalLines(thread, "FENCE=" + place(stack), ordinal);
    }
    persist(one -> one.waitsFor(thread));
    stored.remove(thread);
    flushed.remove(thread);
    flushedInOrder.remove(thread);
  }

  private record Waiter(long line, long since, String what) {}

  /** A flushed line is one thing to wait for, each place that stored past the cache another. */
  private void severalLines(int thread, String fence, long ordinal) {
    Map<String, Waiter> waiters = new TreeMap<>();
    for (Stored one : newest(inFlight)) {
      if (one.waitsFor(thread)) {
        long line = line(one.location);
        Waiting flush = one.waits.getOrDefault(thread, new Waiting(-1, ""));
        Waiter waiter =
            one.past
                ? new Waiter(line, began(one, any -> true), "STORE=" + one.place)
                : new Waiter(line, flush.since(), flush.flush());
        waiters.merge(
            line + (one.past ? " " + one.place : ""),
            waiter,
            (a, b) -> a.since() <= b.since() ? a : b);
      }
    }
    if (waiters.size() > 1) {
      List<Waiter> sorted =
          waiters.values().stream()
              .sorted(Comparator.comparingLong(Waiter::since).thenComparing(Waiter::line))
              .toList();
      Waiter first = sorted.get(0);
      Waiter last = sorted.get(sorted.size() - 1);
      boolean oneLine = waiters.values().stream().map(Waiter::line).distinct().count() == 1;
      String why = oneLine ? "unordered-fence (one line) " : "unordered-fence ";
      count(why + fence + " " + first.what() + " " + last.what(), ordinal, first.line() * 64);
    }
  }

  /** Since when the place has had bytes like this one in the line. */
  private long began(Stored one, Predicate<Stored> wanted) {
    return ofLine(line(one.location)).stream()
        .filter(wanted)
        .filter(
            other ->
                other.past == one.past
                    && (!one.past || other.thread == one.thread)
                    && other.place.equals(one.place)
                    && other.firstFlush().equals(one.firstFlush()))
        .mapToLong(other -> other.event)
        .min()
        .orElse(one.event);
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.FileDefined defined) {
      sizes.put(defined.file(), defined.size());
    } else if (event instanceof TraceEvent.FileResized resized) {
      sizes.put(resized.file(), resized.size());
      forget(resized.file(), resized.size(), 1L << 40);
    } else if (event instanceof TraceEvent.FileZeroed zeroed) {
      forget(zeroed.file(), zeroed.offset(), zeroed.offset() + zeroed.length());
    } else if (event instanceof TraceEvent.FileDeleted deleted) {
      gone.add(deleted.file());
      forget(deleted.file(), 0, 1L << 40);
    } else if (event instanceof TraceEvent.Mark mark) {
      active = mark.kind() == TraceEvent.MarkKind.BEGIN;
    } else if (event instanceof TraceEvent.Sync sync) {
      isSynchronised = true;
      synchronise(sync, false, everFlushed);
    } else if (event instanceof TraceEvent.SyncEnded ended) {
      boolean succeeds = ended.error() == 0;
      synchronise(ended.sync(), succeeds, succeeds ? everFlushed : everInVain);
    }
  }

  private void forget(int file, long from, long to) {
    inFlight.removeIf(
        one -> one.location >= Location.of(file, from) && one.location < Location.of(file, to));
  }

  private void synchronise(TraceEvent.Sync sync, boolean isOver, Set<Long> covered) {
    for (Map.Entry<Integer, Long> file : sizes.entrySet()) {
      if (sync.kind() == SyncKind.SYNC) {
        synchronise(file.getKey(), 0, file.getValue(), isOver, covered);
      } else if (file.getKey() == Location.file(sync.location())) {
        long from = Location.offset(sync.location());
        long to = sync.length() == 0 ? file.getValue() : from + sync.length();
        boolean pages = sync.kind() == SyncKind.MSYNC || sync.kind() == SyncKind.MSYNC_ASYNC;
        boolean mayPromise =
            sync.kind() != SyncKind.MSYNC_ASYNC && sync.kind() != SyncKind.SYNC_FILE_RANGE;
        synchronise(
            file.getKey(),
            from,
            pages ? (to + 4095) / 4096 * 4096 : to,
            isOver && mayPromise,
            mayPromise ? covered : everAsked);
      }
    }
  }

  private void synchronise(int file, long from, long to, boolean promises, Set<Long> covered) {
    long first = from / 64 * 64;
    long last = (to + 63) / 64 * 64;
    for (long at = first; from < to && at < last; at++) {
      covered.add(line(Location.of(file, at)));
    }
    if (promises && from < to) {
      persist(
          one ->
              one.location >= Location.of(file, first) && one.location < Location.of(file, last));
    }
  }

  /** Everything seen, as text, with the reason, count and first location. */
  Set<String> result() {
    Map<String, Count> all = new TreeMap<>(counts);
    if (!isFlushedOrPast && (!isStored || isSynchronised)) {
      all.keySet().removeIf(what -> what.startsWith("redundant-fence"));
    }
    if (!eadr) {
      newest(inFlight).forEach(one -> leftover(all, one));
    }
    Set<String> result = new TreeSet<>();
    all.forEach((what, count) -> result.add(what + " x" + count.count + " at " + count.location));
    return result;
  }

  private void leftover(Map<String, Count> all, Stored one) {
    if (!one.reported || gone.contains(Location.file(one.location))) {
      return;
    }
    boolean ever = everFlushed.contains(line(one.location));
    boolean asked = everAsked.contains(line(one.location));
    String what;
    if (one.past) {
      what = ever || asked ? "not-persisted (past) STORE=" : "transient-data (past) STORE=";
    } else if (one.isDirty() && everInVain.contains(line(one.location))) {
      what = "not-persisted (failed) STORE=";
    } else if (one.isDirty() && asked && !ever) {
      what = "not-persisted (asked) STORE=";
    } else if (one.isDirty()) {
      what = ever ? "not-persisted (flush) STORE=" : "transient-data (flush) STORE=";
    } else {
      what = "not-persisted (fence) STORE=";
    }
    String flush = one.isDirty() || one.past ? "" : " " + one.firstFlush().flush();
    long began = began(one, other -> other.reported);
    count(all, what + one.place + flush, line(one.location), began, one.location);
  }
}
