package io.powercut.analysis;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The patterns once more: byte by byte, slowly, with no thought for memory. Has no split stores
 * that overlap themselves.
 */
final class SlowPatterns implements TraceConsumer {
  private enum State {
    DIRTY,
    FLUSHED,
    NON_TEMPORAL
  }

  /** A byte that is not persisted. */
  private static final class Stored {
    final String place;
    final long event;
    final boolean reported;
    State state;

    /** Since when the place has had bytes like this one in the line. */
    long began;

    int thread;
    long waitsSince;
    String waitsFor;

    Stored(String place, long event, boolean reported, State state, int thread, long began) {
      this.place = place;
      this.event = event;
      this.reported = reported;
      this.state = state;
      this.thread = thread;
      this.began = began;
      this.waitsSince = began;
      this.waitsFor = "STORE=" + place;
    }

    boolean waitsFor(int fencing) {
      return state != State.DIRTY && thread == fencing;
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
  private final TreeMap<Long, Stored> bytes = new TreeMap<>();
  private final Map<Integer, Long> sizes = new HashMap<>();
  private final Set<Integer> gone = new HashSet<>();
  private final Set<Long> everFlushed = new HashSet<>();
  private final Map<Long, String> latestFlush = new HashMap<>();
  private final Set<Integer> stored = new HashSet<>();
  private final Set<Integer> flushed = new HashSet<>();
  private final Set<Integer> flushedInOrder = new HashSet<>();
  private final Map<Integer, Long> unfinished = new HashMap<>();
  private final Map<String, Count> counts = new TreeMap<>();
  private boolean active = true;

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
    return new ArrayList<>(bytes.subMap(line * 64, line * 64 + 64).values());
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
      ByteBuffer data,
      int offset) {
    long event = unfinished.getOrDefault(thread, ordinal);
    boolean more = (flags & StoreFlags.MORE) != 0;
    boolean whole = event == ordinal && !more;
    if (more) {
      unfinished.put(thread, event);
    } else {
      unfinished.remove(thread);
    }
    stored.add(thread);
    boolean past = (flags & StoreFlags.NON_TEMPORAL) != 0;
    if (past) {
      flushed.add(thread);
    }
    int file = Location.file(location);
    if (gone.contains(file)) {
      return;
    }
    State state = past ? State.NON_TEMPORAL : State.DIRTY;
    long end = Math.min(location + size, Location.of(file, sizes.getOrDefault(file, 0L)));
    Map<Long, Long> began = new HashMap<>();
    for (long at = location; at < end; at++) {
      began.putIfAbsent(line(at), whole ? began(line(at), state, stack, thread, event) : event);
    }
    for (long at = location; at < end; at++) {
      Stored old = bytes.remove(at);
      if (old != null && old.event != event && reported(stack) && !eadr) {
        String what = "dirty-overwrite STORE=" + place(stack) + " OVERWRITTEN_STORE=" + old.place;
        count(what, event, Math.max(location, line(at) * 64));
      }
      if (past || !eadr) {
        long since = began.getOrDefault(line(at), event);
        bytes.put(at, new Stored(place(stack), event, reported(stack), state, thread, since));
      }
    }
  }

  private long began(long line, State state, int stack, int thread, long event) {
    long began = event;
    for (Stored other : ofLine(line)) {
      if (other.state == state
          && other.place.equals(place(stack))
          && other.reported == reported(stack)
          && (state == State.DIRTY || other.thread == thread)) {
        began = Math.min(began, other.began);
      }
    }
    return began;
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    String flush = "FLUSH=" + place(stack);
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
    List<Stored> dirty = all.stream().filter(one -> one.state == State.DIRTY).toList();
    boolean onlyPast =
        !all.isEmpty() && all.stream().allMatch(one -> one.state == State.NON_TEMPORAL);
    @Nullable String earlier = latestFlush.get(line(location));
    if (dirty.isEmpty() && reported) {
      String why =
          onlyPast
              ? "(past) " + flush
              : earlier == null ? "(unwritten) " + flush : "(again) " + flush + " " + earlier;
      count("redundant-flush " + why, ordinal, location);
    }
    if (!dirty.isEmpty()) {
      latestFlush.put(line(location), "EARLIER_" + flush);
      severalStores(flush, dirty, ordinal, location, reported);
    }
    everFlushed.add(line(location));
    for (Stored one : dirty) {
      one.state = State.FLUSHED;
      one.thread = thread;
      one.waitsSince = ordinal;
      one.waitsFor = flush;
    }
    if (kind == FlushKind.CLFLUSH) {
      long start = line(location) * 64;
      bytes.subMap(start, start + 64).values().removeIf(one -> one.state != State.NON_TEMPORAL);
    }
  }

  private void severalStores(
      String flush, List<Stored> dirty, long ordinal, long location, boolean reported) {
    List<Stored> sorted =
        dirty.stream().sorted(Comparator.comparingLong((Stored one) -> one.began)).toList();
    Stored oldest = sorted.get(0);
    for (int index = sorted.size() - 1; index > 0; index--) {
      if (!sorted.get(index).place.equals(oldest.place)) {
        if (reported) {
          String what = flush + " STORE=" + oldest.place + " STORE=" + sorted.get(index).place;
          count("multi-store-flush " + what, ordinal, location);
        }
        return;
      }
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
    List<Map.Entry<Long, Stored>> completed =
        bytes.entrySet().stream()
            .filter(one -> one.getValue().waitsFor(thread))
            .map(one -> Map.entry(one.getKey(), one.getValue()))
            .toList();
    // A flushed line is one thing to wait for, each store past the cache another.
    Map<String, Map.Entry<Long, Stored>> waiters = new TreeMap<>();
    for (Map.Entry<Long, Stored> one : completed) {
      Stored part = one.getValue();
      boolean past = part.state == State.NON_TEMPORAL;
      String waiter = line(one.getKey()) + (past ? " " + part.waitsSince : "");
      waiters.merge(
          waiter,
          Map.entry(line(one.getKey()), part),
          (a, b) -> a.getValue().waitsSince <= b.getValue().waitsSince ? a : b);
    }
    if (waiters.size() > 1 && reported(stack)) {
      List<Map.Entry<Long, Stored>> sorted =
          waiters.values().stream()
              .sorted(
                  Comparator.comparingLong(
                          (Map.Entry<Long, Stored> one) -> one.getValue().waitsSince)
                      .thenComparing(Map.Entry::getKey))
              .toList();
      Map.Entry<Long, Stored> first = sorted.get(0);
      Map.Entry<Long, Stored> last = sorted.get(sorted.size() - 1);
      boolean oneLine = waiters.values().stream().map(Map.Entry::getKey).distinct().count() == 1;
      String what = first.getValue().waitsFor + " " + last.getValue().waitsFor;
      String why = oneLine ? "unordered-fence (one line) FENCE=" : "unordered-fence FENCE=";
      count(why + place(stack) + " " + what, ordinal, first.getKey() * 64);
    }
    completed.forEach(one -> bytes.remove(one.getKey()));
    stored.remove(thread);
    flushed.remove(thread);
    flushedInOrder.remove(thread);
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
      synchronise(sync, false);
    } else if (event instanceof TraceEvent.SyncEnded ended && ended.error() == 0) {
      synchronise(ended.sync(), true);
    }
  }

  private void forget(int file, long from, long to) {
    bytes.subMap(Location.of(file, from), Location.of(file, to)).clear();
  }

  private void synchronise(TraceEvent.Sync sync, boolean isOver) {
    for (Map.Entry<Integer, Long> file : sizes.entrySet()) {
      if (sync.kind() == SyncKind.SYNC) {
        synchronise(file.getKey(), 0, file.getValue(), isOver);
      } else if (file.getKey() == Location.file(sync.location())) {
        long from = Location.offset(sync.location());
        long to = sync.length() == 0 ? file.getValue() : from + sync.length();
        boolean pages = sync.kind() == SyncKind.MSYNC || sync.kind() == SyncKind.MSYNC_ASYNC;
        boolean promises =
            isOver
                && sync.kind() != SyncKind.MSYNC_ASYNC
                && sync.kind() != SyncKind.SYNC_FILE_RANGE;
        synchronise(file.getKey(), from, pages ? (to + 4095) / 4096 * 4096 : to, promises);
      }
    }
  }

  private void synchronise(int file, long from, long to, boolean promises) {
    for (long at = from; at < to; at++) {
      everFlushed.add(line(Location.of(file, at)));
    }
    if (promises && from < to) {
      forget(file, from, to);
    }
  }

  /** Everything seen, as text, with the reason, count and first location. */
  Set<String> result() {
    Map<String, Count> all = new TreeMap<>(counts);
    if (!eadr) {
      bytes.forEach((location, one) -> leftover(all, location, one));
    }
    Set<String> result = new TreeSet<>();
    all.forEach((what, count) -> result.add(what + " x" + count.count + " at " + count.location));
    return result;
  }

  private void leftover(Map<String, Count> all, long location, Stored one) {
    if (!one.reported || gone.contains(Location.file(location))) {
      return;
    }
    boolean ever = everFlushed.contains(line(location));
    String what =
        switch (one.state) {
          case DIRTY -> ever ? "not-persisted (flush) STORE=" : "transient-data (flush) STORE=";
          case FLUSHED -> "not-persisted (fence) STORE=";
          case NON_TEMPORAL ->
              ever ? "not-persisted (past) STORE=" : "transient-data (past) STORE=";
        };
    String flush = one.state == State.FLUSHED ? " " + one.waitsFor : "";
    count(all, what + one.place + flush, line(location), one.began, location);
  }
}
