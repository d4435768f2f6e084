// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds out, in a trace, what a thread always writes to a file behind a write of its own, before
 * something else is stored that relies on that. A call that synchronises the file behind the later
 * one is enough for both. Writes are known by their places in the code, whoever calls that.
 *
 * @param <P> a place
 */
public final class FollowingWrites<P> implements TraceConsumer {
  private final Function<StoreCode, Optional<P>> placeOf;
  private final Map<StoreCode, Optional<P>> places = new HashMap<>();

  /** The writes, and what relies on each. */
  private final Map<P, Set<P>> asked = new HashMap<>();

  /** All that relies on a write. */
  private final Set<P> relying = new HashSet<>();

  /** By write, once something relied on it. */
  private final Map<P, Set<P>> behind = new HashMap<>();

  /** Writes on which nothing has relied yet, and what was written behind each. */
  private final Map<Write<P>, Set<P>> open = new HashMap<>();

  private record Write<P>(P place, int file, int thread) {}

  /**
   * @param placeOf the place of code; asked once of each, when it has stored
   */
  public FollowingWrites(Function<StoreCode, Optional<P>> placeOf) {
    this.placeOf = placeOf;
  }

  /**
   * Of one more write.
   *
   * @param early the stores that rely on it
   */
  public void ask(P write, Collection<P> early) {
    asked.computeIfAbsent(write, unknown -> new HashSet<>()).addAll(early);
    relying.addAll(early);
  }

  /** Whether nothing that comes can change the answer. */
  public boolean areDecided() {
    return isAlone()
        || asked.keySet().stream()
            .allMatch(write -> behind.containsKey(write) && behind.get(write).isEmpty());
  }

  private boolean isAlone() {
    return asked.size() < 2;
  }

  /** Which of the other writes always come behind one; none if nothing ever relied on it. */
  public Set<P> behind(P write) {
    return behind.getOrDefault(write, Set.of());
  }

  @Override
  public void store(StoreRecord store) {
    if (!isAlone()) {
      places
          .computeIfAbsent(StoreCode.of(store.stack(), store.site()), placeOf)
          .ifPresent(place -> store(place, Location.file(store.location()), store.thread()));
    }
  }

  private void store(P place, int file, int thread) {
    if (relying.contains(place)) {
      relied(place);
    }
    if (asked.containsKey(place)) {
      open.forEach(
          (write, others) -> {
            if (write.file() == file && write.thread() == thread) {
              others.add(place);
            }
          });
      open.put(new Write<>(place, file, thread), new LinkedHashSet<>());
    }
  }

  private void relied(P early) {
    Iterator<Map.Entry<Write<P>, Set<P>>> writes = open.entrySet().iterator();
    while (writes.hasNext()) {
      Map.Entry<Write<P>, Set<P>> write = writes.next();
      P place = write.getKey().place();
      if (asked.getOrDefault(place, Set.of()).contains(early)) {
        behind
            .computeIfAbsent(place, unknown -> new LinkedHashSet<>(write.getValue()))
            .retainAll(write.getValue());
        writes.remove();
      }
    }
  }
}
