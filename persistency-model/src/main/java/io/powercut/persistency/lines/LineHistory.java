// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import com.google.common.collect.Lists;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.FlushKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A cache line with stores that are not guaranteed: what is, and what came since, in order. */
public final class LineHistory {
  /** More in-flight stores than this to one line are not kept, so that no line takes it all. */
  public static final int MOST_STORES = 4096;

  /** So that the number of a line's contents fits in a long. */
  private static final double MOST_CONTENTS = Math.scalb(1.0, 62);

  /**
   * A flush that a thread's next fence completes.
   *
   * @param ordinal of the flush; of a line that nothing was done to for a while, that of the record
   *     behind the last store that it covers
   */
  public record Flushed(long ordinal, FlushKind kind, int site, int stack) {}

  /** What a thread's next fence will guarantee. */
  static final class Wait {
    private final int thread;
    private final List<Flushed> flushes;
    private boolean nonTemporal;

    Wait(int thread, List<Flushed> flushes, boolean nonTemporal) {
      this.thread = thread;
      this.flushes = flushes;
      this.nonTemporal = nonTemporal;
    }

    int thread() {
      return thread;
    }

    boolean nonTemporal() {
      return nonTemporal;
    }

    /** Those that each cover a store that no earlier one does, in order. */
    List<Flushed> flushes() {
      return flushes;
    }

    /** Cached stores before this place of the trace are covered by a flush. */
    long flushed() {
      return flushes.isEmpty() ? -1 : flushes.get(flushes.size() - 1).ordinal();
    }

    boolean isFor(InFlightStore store) {
      return store.isNonTemporal()
          ? nonTemporal && store.thread() == thread
          : store.isFlushable() && store.ordinal() < flushed();
    }

    /** The flush that covered a cached store first. */
    @Nullable Flushed flushOf(InFlightStore store) {
      for (Flushed flush : flushes) {
        if (store.isFlushable() && store.ordinal() < flush.ordinal()) {
          return flush;
        }
      }
      return null;
    }
  }

  private final long location;
  private final InFlightPlaces places;
  private final long[] guaranteed;
  private final List<Wait> waits = new ArrayList<>(1);
  private List<InFlightStore> stores = new ArrayList<>(2);
  private long @Nullable [] afterGap;

  /** Of the stores that were forgotten, those of which nothing came over some bytes. */
  private List<InFlightStore> buried = List.of();

  private int forgotten;
  private long lastForgotten;
  private int nonTemporal;

  /** At least the bytes that have stores in flight. */
  private long touched;

  private long lastCached = -1;
  private int group;

  /** The last snapshot, as long as nothing was done to the line. */
  private @Nullable StoredLine snapshot;

  /**
   * A line that holds this and nothing that can be lost.
   *
   * @param places is told which stores are in flight
   */
  public LineHistory(long location, byte[] content, InFlightPlaces places) {
    this.location = location;
    this.places = places;
    this.guaranteed = LineWords.of(content);
  }

  /** A line as it was kept. */
  public LineHistory(long location, LineCodec.Decoded kept, InFlightPlaces places) {
    this.location = location;
    this.places = places;
    this.guaranteed = kept.guaranteed();
    this.afterGap = kept.gap();
    this.forgotten = kept.forgotten();
    this.lastCached = kept.lastCached();
    this.group = kept.group();
    this.buried = kept.buried();
    waits.addAll(kept.waits());
    keep(kept.stores());
  }

  public long location() {
    return location;
  }

  /** What it holds when all is lost that can be; not to be changed. */
  long[] guaranteedWords() {
    return guaranteed;
  }

  /** What it holds in program order. */
  long[] programOrder() {
    long[] content = (afterGap == null ? guaranteed : afterGap).clone();
    stores.forEach(store -> apply(store, content));
    return content;
  }

  /** What it holds with all stores that were forgotten; nothing if none were. */
  long @Nullable [] afterGap() {
    return afterGap;
  }

  /** Of the stores that were forgotten, those of which nothing came over some bytes, in order. */
  List<InFlightStore> buried() {
    return buried;
  }

  /** How many stores are in flight and not kept, because there are too many. */
  public int forgotten() {
    return forgotten;
  }

  long lastCached() {
    return lastCached;
  }

  List<Wait> waits() {
    return waits;
  }

  /** Those that are kept, in order; not to be changed. */
  public List<InFlightStore> stores() {
    return stores;
  }

  /** How many stores are kept. */
  int size() {
    return stores.size();
  }

  /** Whether nothing can be lost. */
  boolean isEmpty() {
    return stores.isEmpty() && afterGap == null;
  }

  /** The group of a cached store that comes next. */
  int groupOf(long ordinal) {
    if (ordinal != lastCached) {
      lastCached = ordinal;
      group++;
    }
    return group;
  }

  void add(InFlightStore store) {
    snapshot = null;
    touched |= store.bytes();
    if (!stores.isEmpty() && isMoreOf(stores.get(stores.size() - 1), store)) {
      stores.set(stores.size() - 1, stores.get(stores.size() - 1).with(store));
      return;
    }
    if (stores.size() == MOST_STORES || (store.isNonTemporal() && mayHaveTooManyContents())) {
      makeGap();
    }
    stores.add(store);
    places.add(store);
    nonTemporal += store.isNonTemporal() ? 1 : 0;
  }

  /**
   * For each cached store that comes last, a unit may hold what any non-temporal store left there,
   * or that store's two records, or what was there before.
   */
  private boolean mayHaveTooManyContents() {
    int boxes = stores.size() - nonTemporal + 1;
    return Math.pow(nonTemporal + 4.0, LineWords.UNITS) * boxes > MOST_CONTENTS;
  }

  private void keep(List<InFlightStore> left) {
    snapshot = null;
    stores = left;
    nonTemporal = 0;
    touched = 0;
    for (InFlightStore store : left) {
      nonTemporal += store.isNonTemporal() ? 1 : 0;
      touched |= store.bytes();
    }
    for (InFlightStore store : buried) {
      touched |= store.bytes();
    }
  }

  /** Whether a store is the next record of the last one, which was not flushed meanwhile. */
  private boolean isMoreOf(InFlightStore last, InFlightStore store) {
    return last.ordinal() == store.ordinal() && lastFlushed() <= last.ordinal();
  }

  /**
   * Forgets the older half of the stores but not what they did. Left are the state that is
   * guaranteed and those that hold all of the forgotten stores: fewer than are possible, and none
   * that is not.
   */
  private void makeGap() {
    long[] content = afterGap == null ? guaranteed.clone() : afterGap;
    List<InFlightStore> older = stores.subList(0, (stores.size() + 1) / 2);
    older.forEach(store -> apply(store, content));
    afterGap = content;
    buried = newestOf(Stream.concat(buried.stream(), older.stream()).toList(), newest());
    older.forEach(store -> places.remove(store, location));
    lastForgotten = older.get(older.size() - 1).ordinal();
    forgotten += older.size();
    keep(new ArrayList<>(stores.subList(older.size(), stores.size())));
  }

  /** The stores that have some bytes that are the newest, cut down to these. */
  private static List<InFlightStore> newestOf(List<InFlightStore> stores, long covered) {
    List<InFlightStore> found = new ArrayList<>();
    long above = covered;
    for (InFlightStore store : Lists.reverse(stores)) {
      if ((store.bytes() & ~above) != 0) {
        found.add(0, store.without(above));
      }
      above |= store.bytes();
    }
    return found;
  }

  /** The bytes that the stores that are kept have, but for the older half. */
  private long newest() {
    long bytes = 0;
    for (InFlightStore store : stores.subList((stores.size() + 1) / 2, stores.size())) {
      bytes |= store.bytes();
    }
    return bytes;
  }

  /**
   * The stores of which some bytes are what the line holds in program order, cut down to these, in
   * order. What is in flight of the others was stored over.
   */
  public List<InFlightStore> newestStores() {
    if (stores.size() == 1 && buried.isEmpty()) {
      return stores;
    }
    return newestOf(
        buried.isEmpty() ? stores : Stream.concat(buried.stream(), stores.stream()).toList(), 0);
  }

  /** Whether any of these bytes may have a store in flight; surely not, if this is false. */
  boolean mayHaveInFlight(long bytes) {
    return (touched & bytes) != 0;
  }

  /** Is told of a store and bytes of it. */
  @FunctionalInterface
  interface BytesVisitor {
    void visit(InFlightStore store, long bytes);
  }

  /** Hands out the stores that put into the line what it holds in some bytes, the newest first. */
  void forEachNewest(long bytes, BytesVisitor visitor) {
    long left = bytes & touched;
    for (int index = stores.size() - 1; left != 0 && index >= 0; index--) {
      InFlightStore store = stores.get(index);
      if ((store.bytes() & left) != 0) {
        visitor.visit(store, store.bytes() & left);
        left &= ~store.bytes();
      }
    }
    for (InFlightStore store : buried) {
      if ((store.bytes() & left) != 0) {
        visitor.visit(store, store.bytes() & left);
      }
    }
  }

  /** The stores through the cache that no flush covers, in order. */
  public List<InFlightStore> dirtyStores() {
    return dirty(false);
  }

  /** Those of them with bytes that nothing came over since, in order. */
  public List<InFlightStore> newestDirtyStores() {
    return dirty(true);
  }

  /** Cached stores before this place of the trace are covered by a flush of some thread. */
  private long lastFlushed() {
    long flushed = -1;
    for (Wait wait : waits) {
      flushed = Math.max(flushed, wait.flushed());
    }
    return flushed;
  }

  /** They are behind the last one that a flush covers. */
  private List<InFlightStore> dirty(boolean onlyNewest) {
    List<InFlightStore> dirty = new ArrayList<>();
    long flushed = lastFlushed();
    long above = 0;
    for (int index = stores.size() - 1; index >= 0; index--) {
      InFlightStore store = stores.get(index);
      if (!store.isNonTemporal() && store.ordinal() < flushed) {
        break;
      }
      boolean isNewest = (store.bytes() & ~above) != 0;
      above |= store.bytes();
      if (!store.isNonTemporal() && (isNewest || !onlyNewest)) {
        dirty.add(store);
      }
    }
    Collections.reverse(dirty);
    return dirty;
  }

  /** The flush that covered a store first and waits for a fence; nothing if none did. */
  public @Nullable Flushed flushOf(InFlightStore store) {
    Flushed first = null;
    for (Wait wait : waits) {
      Flushed flush = store.isNonTemporal() ? null : wait.flushOf(store);
      if (flush != null && (first == null || flush.ordinal() < first.ordinal())) {
        first = flush;
      }
    }
    return first;
  }

  /** The flush by a thread that covered a store first and waits for its fence. */
  public @Nullable Flushed flushOf(InFlightStore store, int thread) {
    for (Wait wait : waits) {
      if (wait.thread == thread) {
        return store.isNonTemporal() ? null : wait.flushOf(store);
      }
    }
    return null;
  }

  /** Nothing of the line is in flight any more. */
  void forget() {
    buried = List.of();
    for (InFlightStore store : stores) {
      places.remove(store, location);
    }
    keep(new ArrayList<>());
  }

  private static void apply(InFlightStore store, long[] content) {
    for (int unit = store.firstTouchedUnit(); unit <= store.lastTouchedUnit(); unit++) {
      content[unit] = store.applied(content[unit], unit);
    }
  }

  /** Whether stores through the cache are in flight. */
  public boolean hasCached() {
    return nonTemporal < stores.size() || afterGap != null;
  }

  /** A thread flushed the line; true if its next fence guarantees something for the first time. */
  boolean flush(int thread, Flushed flush) {
    if (!hasUseForFlush(thread)) {
      return false;
    }
    snapshot = null;
    boolean isNew = !isWaitingFor(thread);
    List<Flushed> flushes = waitFor(thread).flushes;
    if (flushes.size() >= MOST_STORES) {
      flushes.subList(0, MOST_STORES / 2).clear();
    }
    flushes.add(flush);
    return isNew;
  }

  /**
   * A thread stored past the cache; true if its next fence guarantees something for the first time.
   */
  boolean storedPastCache(int thread) {
    snapshot = null;
    boolean isNew = !isWaitingFor(thread);
    waitFor(thread).nonTemporal = true;
    return isNew;
  }

  /** Whether a flush by this thread is about more than its earlier ones that wait for a fence. */
  boolean hasUseForFlush(int thread) {
    long flushed = -1;
    for (Wait wait : waits) {
      flushed = wait.thread == thread ? wait.flushed() : flushed;
    }
    for (int index = stores.size() - 1; index >= 0; index--) {
      if (stores.get(index).isFlushable()) {
        return stores.get(index).ordinal() >= flushed;
      }
    }
    return afterGap != null && lastForgotten >= flushed;
  }

  /** Whether the next fence of a thread persists anything. */
  boolean isAwaited(int thread) {
    for (Wait wait : waits) {
      if (wait.thread == thread) {
        return afterGap != null || stores.stream().anyMatch(wait::isFor);
      }
    }
    return false;
  }

  private boolean isWaitingFor(int thread) {
    for (Wait wait : waits) {
      if (wait.thread == thread) {
        return true;
      }
    }
    return false;
  }

  private Wait waitFor(int thread) {
    for (Wait wait : waits) {
      if (wait.thread == thread) {
        return wait;
      }
    }
    Wait wait = new Wait(thread, new ArrayList<>(1), false);
    waits.add(wait);
    return wait;
  }

  /** Whether a fence of any thread is waited for. */
  boolean isWaiting() {
    return !waits.isEmpty();
  }

  /** Hands out the threads whose fence is waited for. */
  void forEachWait(IntConsumer receiver) {
    waits.forEach(wait -> receiver.accept(wait.thread));
  }

  /** A thread did a fence. */
  void fence(int thread) {
    Wait wait = waitFor(thread);
    waits.remove(wait);
    if (isForAll(wait)) {
      guaranteeAll();
    } else {
      guarantee(wait::isFor);
    }
  }

  private boolean isForAll(Wait wait) {
    for (int index = 0; index < stores.size(); index++) {
      if (!wait.isFor(stores.get(index))) {
        return false;
      }
    }
    return true;
  }

  /** Everything becomes certain, which is the usual case. */
  private void guaranteeAll() {
    guaranteeGap();
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      apply(store, guaranteed);
      places.remove(store, location);
    }
    keep(new ArrayList<>(2));
  }

  /** The line is in memory, whatever went past the cache excepted. */
  void writeBack() {
    guarantee(InFlightStore::isFlushable);
  }

  /** Makes stores certain, and with them what must be persisted before. */
  void guarantee(Predicate<InFlightStore> certain) {
    guaranteeGap();
    int[] last = lastCertain(certain);
    List<InFlightStore> left = new ArrayList<>();
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      long done = 0;
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (index <= last[unit] && store.touches(unit)) {
          guaranteed[unit] = store.applied(guaranteed[unit], unit);
          done |= LineWords.unit(unit);
        }
      }
      keepRest(store, done, left);
    }
    keep(left);
  }

  /** What exactly became certain is not known any more. This is more: no state is wrong. */
  private void guaranteeGap() {
    if (afterGap != null) {
      System.arraycopy(afterGap, 0, guaranteed, 0, guaranteed.length);
      afterGap = null;
      buried = List.of();
      forgotten = 0;
    }
  }

  private void keepRest(InFlightStore store, long gone, List<InFlightStore> left) {
    InFlightStore rest = store.without(gone);
    if (rest.bytes() != 0) {
      left.add(rest);
      if (rest.bytes() != store.bytes()) {
        places.departed(store.ordinal());
      }
    } else {
      places.remove(store, location);
    }
  }

  /** By unit, the place of the last store to it that is certain; -1 if none is. */
  private int[] lastCertain(Predicate<InFlightStore> certain) {
    int[] last = new int[LineWords.UNITS];
    Arrays.fill(last, -1);
    for (int index = 0; index < stores.size(); index++) {
      if (certain.test(stores.get(index))) {
        extend(last, index);
      }
    }
    // What came to a unit before is certain as well; and cached stores persist in order.
    int lastGroup = lastCachedGroup(last);
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      if (!store.isNonTemporal() && store.group() < lastGroup) {
        extend(last, index);
      }
    }
    return last;
  }

  private void extend(int[] last, int index) {
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      if (stores.get(index).touches(unit)) {
        last[unit] = Math.max(last[unit], index);
      }
    }
  }

  private int lastCachedGroup(int[] last) {
    int lastGroup = -1;
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (!store.isNonTemporal() && index <= last[unit] && store.touches(unit)) {
          lastGroup = store.group();
        }
      }
    }
    return lastGroup;
  }

  /** Bytes are zero from now on, and that is certain. */
  void zero(long bytes) {
    LineWords.clear(guaranteed, bytes);
    if (afterGap != null) {
      LineWords.clear(afterGap, bytes);
    }
    buried =
        buried.stream()
            .filter(store -> (store.bytes() & ~bytes) != 0)
            .map(store -> store.without(bytes))
            .toList();
    List<InFlightStore> left = new ArrayList<>();
    for (InFlightStore store : stores) {
      keepRest(store, bytes, left);
    }
    keep(left);
  }

  /** Some bytes cannot be lost any more, nor has what was stored to them an order with others. */
  void ignore(long bytes) {
    hold(programOrder(), bytes);
  }

  /** The same, and they hold what a store has put there. */
  void ignore(InFlightStore stored) {
    long[] content = programOrder();
    apply(stored, content);
    hold(content, stored.bytes());
  }

  private void hold(long[] content, long bytes) {
    zero(bytes);
    LineWords.copy(guaranteed, content, bytes);
    if (afterGap != null) {
      LineWords.copy(afterGap, content, bytes);
    }
  }

  /** As it is now. */
  StoredLine snapshot() {
    StoredLine known = snapshot;
    if (known == null) {
      long[] gap = afterGap;
      known =
          new StoredLine(
              location,
              guaranteed.clone(),
              gap == null ? null : gap.clone(),
              List.copyOf(stores),
              forgotten,
              flushed());
      snapshot = known;
    }
    return known;
  }

  /** By store, whether a fence is all that it waits for. */
  private BitSet flushed() {
    BitSet flushed = new BitSet();
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      flushed.set(index, waits.stream().anyMatch(wait -> wait.isFor(store)));
    }
    return flushed;
  }
}
