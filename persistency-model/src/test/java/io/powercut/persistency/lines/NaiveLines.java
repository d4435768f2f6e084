// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The rules of the package, byte by byte, with no thought for time or memory. For one file. */
final class NaiveLines {
  private static final int LINE = 64;
  private static final int UNIT = 8;
  private static final int PAGE = 4096;

  /** A byte of a store that may be lost. */
  private static final class Stored {
    final long offset;
    final long store;
    final int number;
    final int thread;
    final boolean past;
    final long group;
    final Set<Integer> flushedBy = new HashSet<>();
    boolean persisted;

    Stored(long offset, long store, int number, int thread, boolean past, long group) {
      this.offset = offset;
      this.store = store;
      this.number = number;
      this.thread = thread;
      this.past = past;
      this.group = group;
    }

    long line() {
      return offset / LINE;
    }

    boolean waitsFor(int fencing) {
      return past ? thread == fencing : flushedBy.contains(fencing);
    }

    /** Units persist as they were stored to; so do lines, as far as the cache is concerned. */
    boolean persistsBefore(Stored later) {
      boolean ofUnit = offset / UNIT == later.offset / UNIT && number <= later.number;
      boolean ofLine = !past && !later.past && line() == later.line() && group < later.group;
      return ofUnit || ofLine;
    }
  }

  private final PersistencyDomain domain;
  private final List<Stored> inFlight = new ArrayList<>();
  private final Map<Integer, Long> instructions = new HashMap<>();
  private final Map<Long, Long> lastInstruction = new HashMap<>();
  private final Set<String> told = new TreeSet<>();
  private final Set<String> departed = new TreeSet<>();
  private final Set<Long> ignored = new HashSet<>();
  private long size;
  private int numbers;
  private long groups;
  private boolean gone;

  NaiveLines(PersistencyDomain domain, long size) {
    this.domain = domain;
    this.size = size;
  }

  /**
   * A record of a store.
   *
   * @param store the ordinal of the store's first record
   */
  void store(long store, int thread, int flags, long offset, int length) {
    if ((flags & StoreFlags.ELEMENT) == 0) {
      instructions.put(thread, store);
    }
    if (gone) {
      return;
    }
    boolean past = (flags & StoreFlags.NON_TEMPORAL) != 0;
    int number = numbers++;
    Set<Long> begun = new HashSet<>();
    long end = Math.min(size, offset + length);
    boolean persistsNow =
        (!past && domain == PersistencyDomain.EADR) || StoreFlags.isSynchronousWrite(flags);
    for (long at = offset; at < end; at++) {
      if (!persistsNow && ignored.contains(at)) {
        continue;
      }
      long instruction = instructions.getOrDefault(thread, store);
      boolean goesOn = Long.valueOf(instruction).equals(lastInstruction.get(at / LINE));
      if (!past && begun.add(at / LINE) && !goesOn) {
        lastInstruction.put(at / LINE, instruction);
        groups++;
      }
      inFlight.add(new Stored(at, store, number, thread, past, groups));
    }
    if (!past && domain == PersistencyDomain.EADR) {
      persist(one -> one.number == number, "CACHE");
    } else if (StoreFlags.isSynchronousWrite(flags)) {
      persist(one -> one.number == number, "SYNCHRONOUS_WRITE");
    }
  }

  private void persist(Predicate<Stored> first, String reason) {
    inFlight.forEach(one -> one.persisted = first.test(one));
    boolean more = true;
    while (more) {
      more = false;
      for (Stored one : inFlight) {
        if (!one.persisted
            && inFlight.stream().anyMatch(other -> other.persisted && one.persistsBefore(other))) {
          one.persisted = true;
          more = true;
        }
      }
    }
    remove(one -> one.persisted, reason);
  }

  private void remove(Predicate<Stored> which, String reason) {
    Set<List<Long>> before = parts();
    inFlight.removeIf(which);
    before.removeAll(parts());
    before.forEach(part -> told.add(part.get(0) + " " + reason));
    if (!reason.equals("CACHE")) {
      before.forEach(part -> departed.add(part.get(0) + " from line " + part.get(1)));
    }
  }

  private Set<List<Long>> parts() {
    Set<List<Long>> parts = new HashSet<>();
    inFlight.forEach(one -> parts.add(List.of(one.store, one.line())));
    return parts;
  }

  void flush(int thread, FlushKind kind, long offset) {
    List<Stored> all = inFlight.stream().filter(one -> one.line() == offset / LINE).toList();
    List<Stored> cached = all.stream().filter(one -> !one.past).toList();
    boolean isNeeded =
        kind == FlushKind.CLFLUSH
            ? !cached.isEmpty()
            : cached.stream().anyMatch(one -> !one.flushedBy.contains(thread));
    told.add("flush " + effect(offset / LINE, isNeeded, !all.isEmpty() && cached.isEmpty()));
    if (domain == PersistencyDomain.EADR) {
      return;
    }
    if (kind == FlushKind.CLFLUSH) {
      persist(cached::contains, "CLFLUSH");
    } else {
      cached.forEach(one -> one.flushedBy.add(thread));
    }
  }

  private FlushEffect effect(long line, boolean isNeeded, boolean isOnlyPast) {
    if (gone) {
      return FlushEffect.LOST_FILE;
    }
    if (domain == PersistencyDomain.EADR) {
      return FlushEffect.CACHE_IS_PERSISTENT;
    }
    if (isNeeded) {
      return FlushEffect.WRITES_BACK;
    }
    if (ignored.stream().anyMatch(at -> at / LINE == line)) {
      return FlushEffect.IGNORED;
    }
    return isOnlyPast ? FlushEffect.ONLY_NON_TEMPORAL : FlushEffect.NOTHING_TO_WRITE_BACK;
  }

  void fence(int thread) {
    boolean isNeeded = inFlight.stream().anyMatch(one -> one.waitsFor(thread));
    told.add("fence " + (isNeeded ? "needed" : "idle"));
    persist(one -> one.waitsFor(thread), "FENCE");
  }

  /** A synchronisation that succeeded; {@code began} is its place in the trace. */
  void sync(SyncKind kind, long offset, long length, long began) {
    if (!kind.isGuarantee()) {
      return;
    }
    long first = offset / LINE;
    long last = end(kind, offset, length);
    Predicate<Stored> isCovered =
        one -> one.line() >= first && one.line() < last && one.store < began;
    boolean isNeeded = inFlight.stream().anyMatch(isCovered);
    told.add("sync " + (isNeeded ? "needed" : "idle"));
    persist(isCovered, "SYNC");
  }

  void syncFails(SyncKind kind, long offset, long length) {
    long lines = end(kind, offset, length) - offset / LINE;
    if (kind.isGuarantee() && lines > 0) {
      told.add("sync failed for " + lines);
    }
  }

  /** The line behind those that a synchronisation is about. */
  private long end(SyncKind kind, long offset, long length) {
    long to = length == 0 ? size : offset + length;
    int grain = kind == SyncKind.MSYNC ? PAGE : LINE;
    return (to + grain - 1) / grain * grain / LINE;
  }

  void zero(long from, long to) {
    remove(one -> one.offset >= from && one.offset < to, "GONE");
  }

  void ignore(long from, long to) {
    for (long at = from; at < to; at++) {
      ignored.add(at);
    }
    zero(from, to);
  }

  void heed(long from, long to) {
    ignored.removeIf(at -> at >= from && at < to);
  }

  void resize(long bytes) {
    size = bytes;
    zero(bytes, Long.MAX_VALUE);
  }

  void delete() {
    gone = true;
    zero(0, Long.MAX_VALUE);
  }

  /** What is in flight, as {@link TrackedProgram#stores} says it. */
  List<String> stores() {
    Map<String, Long> bytes = new TreeMap<>();
    Set<String> dirty = new HashSet<>();
    for (Stored one : inFlight) {
      String key = "1:0x" + Long.toHexString(one.line() * LINE) + " " + one.store;
      bytes.merge(key, 1L << one.offset % LINE, (a, b) -> a | b);
      if (!one.past && one.flushedBy.isEmpty()) {
        dirty.add(key);
      }
    }
    List<String> stores = new ArrayList<>();
    bytes.forEach(
        (key, mask) ->
            stores.add(key + " " + Long.toHexString(mask) + (dirty.contains(key) ? " dirty" : "")));
    stores.sort(null);
    return stores;
  }

  /** What departed, as {@link TrackedProgram#departed} says it. */
  Set<String> departed() {
    Set<String> all = new TreeSet<>(departed);
    departed.clear();
    return all;
  }

  /** What was done since this was asked last. */
  Set<String> told() {
    Set<String> all = new TreeSet<>(told);
    told.clear();
    return all;
  }
}
