// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds out, in a trace, which stores are of a write behind the end of its file. The file is longer
 * at once, and the bytes may be lost.
 */
public final class GrowingWrites implements TraceConsumer {
  private final Set<Long> asked;

  /** By thread, the first record of a store of which more records come. */
  private final Map<Integer, Long> unfinished = new HashMap<>();

  private final Map<Integer, Long> sizes = new HashMap<>();

  /** By thread: the call that does that stores next. */
  private final Map<Integer, Growth> growing = new HashMap<>();

  /** By the first record of the store: the {@link Location} where the file ended before. */
  private final Map<Long, Long> ends = new HashMap<>();

  /** Locations of a file's end. */
  private record Growth(long former, long present) {}

  /**
   * @param stores those of which it matters
   */
  public GrowingWrites(Collection<BlamedStore> stores) {
    asked =
        stores.stream()
            .map(store -> store.store().ordinal())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a store, as far as it is blamed, was written behind the end of its file. */
  public boolean made(BlamedStore store) {
    Long end = ends.get(store.store().ordinal());
    return end != null && store.line().location() + LineWords.LINE > end;
  }

  @Override
  public void store(StoreRecord store) {
    if (store.hasMore()) {
      unfinished.putIfAbsent(store.thread(), store.ordinal());
      return;
    }
    Long first = unfinished.remove(store.thread());
    Growth growth = growing.remove(store.thread());
    long ordinal = first == null ? store.ordinal() : first;
    if (growth != null && asked.contains(ordinal) && isEnd(store, growth.present())) {
      ends.put(ordinal, growth.former());
    }
  }

  private static boolean isEnd(StoreRecord store, long end) {
    return (store.flags() & StoreFlags.FILE_WRITE) != 0 && store.location() + store.size() == end;
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.FileDefined defined) {
      sizes.put(defined.file(), defined.size());
    } else if (event instanceof TraceEvent.FileResized resized) {
      Long former = sizes.put(resized.file(), resized.size());
      if (former != null && former < resized.size()) {
        growing.put(
            resized.thread(),
            new Growth(
                Location.of(resized.file(), former), Location.of(resized.file(), resized.size())));
      }
    }
  }
}
