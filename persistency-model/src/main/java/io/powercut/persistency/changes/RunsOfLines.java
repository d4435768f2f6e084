// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds out, in a trace, what a thread always stores after a lost store to the same run of cache
 * lines: lines next to one another that it stored to between two of its fences, and did not flush.
 * An atomic store is not one of these fences. They are taken for an object, of which one flush is
 * missing. Executions of the lost store's code do not count if its line is flushed before the next
 * fence.
 */
public final class RunsOfLines implements TraceConsumer, EventGroups<RuntimeException> {
  /** Of a thread that stores more than this between two fences, nothing is found out. */
  private static final int MOST_STORES = 4096;

  /** Nor of code that stores more often than this between two fences. */
  private static final int MOST_EXECUTIONS = 256;

  /** Code of lost stores, and of what must not be there before them. */
  private final Map<StoreCode, Set<StoreCode>> asked = new HashMap<>();

  /** By code of the lost store, once it was seen. */
  private final Map<StoreCode, Set<StoreCode>> behind = new HashMap<>();

  private final Map<Integer, Epoch> epochs = new HashMap<>();

  /** Threads whose last event was a locked instruction: it may be the store that comes next. */
  private final Set<Integer> locked = new HashSet<>();

  private record Stored(StoreCode code, long first, long last) {}

  /** What a thread did since its last fence. */
  private static final class Epoch {
    private final List<Stored> stores = new ArrayList<>();
    private final Map<Long, Integer> lastStore = new HashMap<>();

    /** By line: how many stores there were before its last flush. */
    private final Map<Long, Integer> flushed = new HashMap<>();

    void add(Stored store) {
      for (long line = store.first(); line <= store.last(); line += LineWords.LINE) {
        lastStore.put(line, stores.size());
      }
      stores.add(store);
    }

    boolean isOpen(long line) {
      return lastStore.getOrDefault(line, -1) >= flushed.getOrDefault(line, 0);
    }

    Set<Long> run(Stored store) {
      Set<Long> run = new HashSet<>();
      for (long line = store.first(); isOpen(line); line += LineWords.LINE) {
        run.add(line);
      }
      for (long line = store.first(); isOpen(line); line -= LineWords.LINE) {
        run.add(line);
      }
      return run;
    }
  }

  /**
   * Of one more store.
   *
   * @param early code of the stores before which it has to be persisted
   */
  public void ask(StoreCode lost, Collection<StoreCode> early) {
    asked.computeIfAbsent(lost, unknown -> new HashSet<>()).addAll(early);
  }

  /** Whether nothing that comes can change the answer. */
  public boolean areDecided() {
    return asked.keySet().stream().allMatch(this::isDecided);
  }

  /** The trace is over. */
  public void end() {
    epochs.values().forEach(this::end);
    epochs.clear();
    locked.clear();
  }

  /** What is always stored after a lost store, in the order of the first time. */
  public Set<StoreCode> behind(StoreCode lost) {
    return behind.getOrDefault(lost, Set.of());
  }

  @Override
  public void store(StoreRecord store) {
    if (asked.isEmpty()) {
      return;
    }
    if (locked.remove(store.thread()) && (store.flags() & StoreFlags.LOCKED) == 0) {
      ended(store.thread());
    }
    StoreCode code = StoreCode.of(store.stack(), store.site());
    Epoch epoch = epochs.computeIfAbsent(store.thread(), unknown -> new Epoch());
    if (epoch.stores.size() < MOST_STORES) {
      long last = lineOf(store.location() + store.size() - 1);
      epoch.add(new Stored(code, lineOf(store.location()), last));
    } else if (asked.containsKey(code)) {
      giveUp(code);
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    endIfLocked(thread);
    Epoch epoch = epochs.get(thread);
    if (epoch != null && !Location.isVolatile(location)) {
      epoch.flushed.put(lineOf(location), epoch.stores.size());
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    endIfLocked(thread);
    if (kind == FenceKind.LOCKED) {
      locked.add(thread);
    } else {
      ended(thread);
    }
  }

  /**
   * A locked instruction that stores to persistent memory is how compilers make an atomic store:
   * nobody means it to be a fence there. Any other ends what came before it.
   */
  private void endIfLocked(int thread) {
    if (locked.remove(thread)) {
      ended(thread);
    }
  }

  @Override
  public void event(TraceEvent event) {
    event.dispatch(this);
  }

  @Override
  public void synchronisation(SyncEvent event) {
    ended(event.thread());
  }

  private void ended(int thread) {
    Epoch epoch = epochs.remove(thread);
    if (epoch != null) {
      end(epoch);
    }
  }

  private void end(Epoch epoch) {
    Map<StoreCode, Integer> executions = new HashMap<>();
    for (int index = 0; index < epoch.stores.size(); index++) {
      Stored store = epoch.stores.get(index);
      boolean isFlushed = epoch.flushed.getOrDefault(store.first(), 0) > index;
      if (!isFlushed && asked.containsKey(store.code()) && !isDecided(store.code())) {
        if (executions.merge(store.code(), 1, Integer::sum) > MOST_EXECUTIONS) {
          giveUp(store.code());
        } else {
          Set<StoreCode> here = behind(epoch, index);
          behind
              .computeIfAbsent(store.code(), unknown -> new LinkedHashSet<>(here))
              .retainAll(here);
        }
      }
    }
  }

  private boolean isDecided(StoreCode lost) {
    return behind.containsKey(lost) && behind.get(lost).isEmpty();
  }

  private void giveUp(StoreCode lost) {
    behind.put(lost, new LinkedHashSet<>());
  }

  private Set<StoreCode> behind(Epoch epoch, int index) {
    Stored lost = epoch.stores.get(index);
    Set<Long> run = epoch.run(lost);
    Set<StoreCode> codes = new LinkedHashSet<>();
    for (Stored store : epoch.stores.subList(index + 1, epoch.stores.size())) {
      if (asked.getOrDefault(lost.code(), Set.of()).contains(store.code())) {
        break;
      }
      if (run.contains(store.first())) {
        codes.add(store.code());
      }
    }
    return codes;
  }

  private static long lineOf(long location) {
    return location - location % LineWords.LINE;
  }
}
