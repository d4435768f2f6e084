// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What threads did about their stores once others had stored over them. A thread that persists a
 * store too late does so whether another one came between or not: that is one mistake.
 */
final class OwnPersists {
  /** So many are followed at a time, and of so many it is known what became of them. */
  private static final int MOST = 262_144;

  /** A store in a line. */
  record Key(long store, long line) {}

  /** Of a store, before its thread has persisted the line, or made the store again. */
  private static final class Pending {
    private final Key key;
    private final int place;
    private final long bytes;

    /** Whether a fence of its thread persists it. */
    private boolean isFlushed;

    /** Whether its thread has stored there, too: what it then persists may be for that. */
    private boolean isMixed;

    Pending(Access store, long line, long bytes, boolean isFlushed, boolean isMixed) {
      this.key = new Key(store.ordinal(), line);
      this.place = store.place();
      this.bytes = bytes;
      this.isFlushed = isFlushed;
      this.isMixed = isMixed;
    }
  }

  /** What a thread has not persisted yet. */
  private static final class OfThread {
    private final Long2ObjectOpenHashMap<List<Pending>> byLine = new Long2ObjectOpenHashMap<>();

    /** Lines that it has flushed, and no fence came behind that. */
    private final LongSet flushed = new LongOpenHashSet();

    List<Pending> of(long line) {
      List<Pending> all = byLine.get(line);
      return all == null ? List.of() : all;
    }

    void add(Pending one) {
      long line = one.key.line();
      byLine.computeIfAbsent(line, fresh -> new ArrayList<>(1)).add(one);
      if (one.isFlushed) {
        flushed.add(line);
      }
    }

    /** Takes some of a line away. */
    List<Pending> take(long line, Predicate<Pending> some) {
      List<Pending> taken = of(line).stream().filter(some).toList();
      if (!taken.isEmpty()) {
        List<Pending> all = byLine.get(line);
        all.removeAll(taken);
        if (all.isEmpty()) {
          byLine.remove(line);
        }
      }
      return taken;
    }
  }

  private final Int2ObjectOpenHashMap<OfThread> byThread = new Int2ObjectOpenHashMap<>();
  private int pending;
  private boolean isComplete = true;

  /** What persisted a store; empty if that cannot be told. No other one was persisted. */
  private final Map<Key, Optional<Access>> known = new HashMap<>();

  /**
   * A store came over bytes of another one.
   *
   * @param isFlushed whether a fence of its thread would have persisted that
   */
  void cover(Access store, long line, long bytes, boolean isFlushed, Access by) {
    boolean isOwn = store.thread() == by.thread();
    if (isOwn && store.place() == by.place()) {
      return;
    }
    if (pending < MOST) {
      pending++;
      byThread
          .computeIfAbsent(store.thread(), fresh -> new OfThread())
          .add(new Pending(store, line, bytes, isFlushed, isOwn));
    } else {
      isComplete = false;
    }
  }

  private void know(Key key, Optional<Access> persist) {
    if (known.size() < MOST) {
      known.put(key, persist);
    } else {
      isComplete = false;
    }
  }

  /** Nobody can tell what would have become of a store. */
  void lose(Access store, long line) {
    know(new Key(store.ordinal(), line), Optional.empty());
  }

  /** The same of all that are not persisted yet. */
  void loseAll() {
    for (OfThread thread : byThread.values()) {
      thread.byLine.values().forEach(all -> all.forEach(one -> know(one.key, Optional.empty())));
    }
    byThread.clear();
    pending = 0;
  }

  /** A thread stores. */
  void store(int thread, int place, long line, long bytes) {
    OfThread all = byThread.get(thread);
    if (all == null || all.of(line).isEmpty()) {
      return;
    }
    pending -= all.take(line, one -> (one.bytes & bytes) != 0 && one.place == place).size();
    for (Pending one : all.of(line)) {
      one.isMixed |= (one.bytes & bytes) != 0;
    }
  }

  /** A thread flushes a line. */
  void flush(int thread, long line) {
    OfThread all = byThread.get(thread);
    if (all != null && !all.of(line).isEmpty()) {
      all.of(line).forEach(one -> one.isFlushed = true);
      all.flushed.add(line);
    }
  }

  /** A thread flushes a line, and waits for that. */
  void persist(Access flush, long line) {
    end(flush, line, one -> true);
  }

  /** A thread waits for what it has flushed. */
  void fence(Access fence) {
    OfThread all = byThread.get(fence.thread());
    if (all != null) {
      all.flushed.forEach(line -> end(fence, line, one -> one.isFlushed));
      all.flushed.clear();
    }
  }

  private void end(Access persist, long line, Predicate<Pending> isEnded) {
    OfThread all = byThread.get(persist.thread());
    if (all == null) {
      return;
    }
    for (Pending one : all.take(line, isEnded)) {
      know(one.key, one.isMixed ? Optional.empty() : Optional.of(persist));
      pending--;
    }
  }

  /** Whether a thread may have persisted, or not, what was stored over. */
  boolean follows(int thread) {
    OfThread all = byThread.get(thread);
    return all != null && !all.byLine.isEmpty();
  }

  /** Whether none of the stores was persisted by its thread. */
  boolean areNever(Collection<Key> stores) {
    return isComplete && stores.stream().noneMatch(known::containsKey);
  }

  /**
   * What persisted one of them.
   *
   * @return nothing unless all of them were persisted, and at one place
   */
  Optional<Access> persisted(Key one, Collection<Key> all) {
    Optional<Access> persist = known.getOrDefault(one, Optional.empty());
    return persist.filter(
        mine ->
            all.stream()
                .allMatch(
                    store ->
                        known
                            .getOrDefault(store, Optional.empty())
                            .filter(other -> other.place() == mine.place())
                            .isPresent()));
  }
}
