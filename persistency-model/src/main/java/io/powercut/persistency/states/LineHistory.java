package io.powercut.persistency.states;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A cache line with stores that are not guaranteed: what is, and what came since, in order. */
final class LineHistory {
  /** More in-flight stores than this to one line are not kept, so that no line takes it all. */
  static final int MOST_STORES = 4096;

  /** So that the number of a line's contents fits in a long. */
  private static final double MOST_CONTENTS = Math.scalb(1.0, 62);

  /** What a thread's next fence will guarantee. */
  static final class Wait {
    private final int thread;
    private long flushed;
    private boolean nonTemporal;

    Wait(int thread, long flushed, boolean nonTemporal) {
      this.thread = thread;
      this.flushed = flushed;
      this.nonTemporal = nonTemporal;
    }

    int thread() {
      return thread;
    }

    boolean nonTemporal() {
      return nonTemporal;
    }

    boolean isFor(PendingStore store) {
      return store.isNonTemporal()
          ? nonTemporal && store.thread() == thread
          : store.ordinal() < flushed;
    }
  }

  private final long location;
  private final InFlightSites sites;
  private final long[] guaranteed;
  private final List<Wait> waits = new ArrayList<>(1);
  private List<PendingStore> stores = new ArrayList<>(2);
  private long @Nullable [] afterGap;
  private int forgotten;
  private int nonTemporal;
  private long lastCached = -1;
  private int group;

  /**
   * A line that holds this and nothing that can be lost.
   *
   * @param sites is told which stores are in flight
   */
  LineHistory(long location, byte[] content, InFlightSites sites) {
    this.location = location;
    this.sites = sites;
    this.guaranteed = LineWords.of(content);
  }

  /** A line as it was kept. */
  LineHistory(long location, LineCodec.Decoded kept, InFlightSites sites) {
    this.location = location;
    this.sites = sites;
    this.guaranteed = kept.guaranteed();
    this.afterGap = kept.gap();
    this.forgotten = kept.forgotten();
    this.lastCached = kept.lastCached();
    this.group = kept.group();
    waits.addAll(kept.waits());
    keep(kept.stores());
  }

  long location() {
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

  int forgotten() {
    return forgotten;
  }

  long lastCached() {
    return lastCached;
  }

  List<Wait> waits() {
    return waits;
  }

  /** Those that are kept, in order; not to be changed. */
  List<PendingStore> stores() {
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

  void add(PendingStore store) {
    if (!stores.isEmpty() && isMoreOf(stores.get(stores.size() - 1), store)) {
      stores.set(stores.size() - 1, stores.get(stores.size() - 1).with(store));
      return;
    }
    if (stores.size() == MOST_STORES || (store.isNonTemporal() && mayHaveTooManyContents())) {
      makeGap();
    }
    stores.add(store);
    sites.add(store);
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

  private void keep(List<PendingStore> left) {
    stores = left;
    nonTemporal = (int) left.stream().filter(PendingStore::isNonTemporal).count();
  }

  /** Whether a store is the next record of the last one, which was not flushed meanwhile. */
  private boolean isMoreOf(PendingStore last, PendingStore store) {
    return last.ordinal() == store.ordinal()
        && waits.stream().noneMatch(wait -> wait.flushed > last.ordinal());
  }

  /**
   * Forgets the older half of the stores but not what they did. Left are the state that is
   * guaranteed and those that hold all of the forgotten stores: fewer than are possible, and none
   * that is not.
   */
  private void makeGap() {
    long[] content = afterGap == null ? guaranteed.clone() : afterGap;
    List<PendingStore> older = stores.subList(0, (stores.size() + 1) / 2);
    older.forEach(store -> apply(store, content));
    afterGap = content;
    older.forEach(sites::remove);
    forgotten += older.size();
    keep(new ArrayList<>(stores.subList(older.size(), stores.size())));
  }

  /** Nothing of the line is in flight any more. */
  void forget() {
    stores.forEach(sites::remove);
    keep(new ArrayList<>());
  }

  private static void apply(PendingStore store, long[] content) {
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      content[unit] = store.applied(content[unit], unit);
    }
  }

  /** A thread flushed the line; true if its next fence guarantees something for the first time. */
  boolean flush(int thread, long ordinal) {
    if (stores.stream().allMatch(PendingStore::isNonTemporal) && afterGap == null) {
      return false;
    }
    boolean isNew = !isWaitingFor(thread);
    waitFor(thread).flushed = ordinal;
    return isNew;
  }

  /**
   * A thread stored past the cache; true if its next fence guarantees something for the first time.
   */
  boolean storedPastCache(int thread) {
    boolean isNew = !isWaitingFor(thread);
    waitFor(thread).nonTemporal = true;
    return isNew;
  }

  /** Whether a flush by this thread is about more than its earlier ones that wait for a fence. */
  boolean hasUseForFlush(int thread) {
    long flushed =
        waits.stream()
            .filter(wait -> wait.thread == thread)
            .mapToLong(wait -> wait.flushed)
            .max()
            .orElse(-1);
    return stores.stream().anyMatch(store -> !store.isNonTemporal() && store.ordinal() >= flushed)
        || afterGap != null;
  }

  private boolean isWaitingFor(int thread) {
    return waits.stream().anyMatch(wait -> wait.thread == thread);
  }

  private Wait waitFor(int thread) {
    for (Wait wait : waits) {
      if (wait.thread == thread) {
        return wait;
      }
    }
    Wait wait = new Wait(thread, -1, false);
    waits.add(wait);
    return wait;
  }

  /** Hands out the threads whose fence is waited for. */
  void forEachWait(IntConsumer receiver) {
    waits.forEach(wait -> receiver.accept(wait.thread));
  }

  /** A thread did a fence. */
  void fence(int thread) {
    Wait wait = waitFor(thread);
    waits.remove(wait);
    guarantee(wait::isFor);
  }

  /** The line is in memory, whatever went past the cache excepted. */
  void writeBack() {
    guarantee(store -> !store.isNonTemporal());
  }

  /** Makes stores certain, and with them what must be persisted before. */
  void guarantee(Predicate<PendingStore> certain) {
    if (afterGap != null) {
      // What exactly became certain is not known any more. This is more: no state is wrong.
      System.arraycopy(afterGap, 0, guaranteed, 0, guaranteed.length);
      afterGap = null;
      forgotten = 0;
    }
    int[] last = lastCertain(certain);
    List<PendingStore> left = new ArrayList<>();
    for (int index = 0; index < stores.size(); index++) {
      PendingStore store = stores.get(index);
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

  private void keepRest(PendingStore store, long gone, List<PendingStore> left) {
    PendingStore rest = store.without(gone);
    if (rest.bytes() != 0) {
      left.add(rest);
    } else {
      sites.remove(store);
    }
  }

  /** By unit, the place of the last store to it that is certain; -1 if none is. */
  private int[] lastCertain(Predicate<PendingStore> certain) {
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
      PendingStore store = stores.get(index);
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
      PendingStore store = stores.get(index);
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
    List<PendingStore> left = new ArrayList<>();
    for (PendingStore store : stores) {
      keepRest(store, bytes, left);
    }
    keep(left);
  }

  /** As it is now. */
  StoredLine snapshot() {
    long[] gap = afterGap;
    return new StoredLine(
        location,
        guaranteed.clone(),
        gap == null ? null : gap.clone(),
        List.copyOf(stores),
        forgotten,
        flushed());
  }

  /** By store, whether a fence is all that it waits for. */
  private BitSet flushed() {
    BitSet flushed = new BitSet();
    for (int index = 0; index < stores.size(); index++) {
      PendingStore store = stores.get(index);
      flushed.set(index, waits.stream().anyMatch(wait -> wait.isFor(store)));
    }
    return flushed;
  }
}
