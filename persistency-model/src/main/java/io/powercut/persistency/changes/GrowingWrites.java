// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds out, in a trace, which stores are of a write behind the end of its file. The file is longer
 * at once, and the bytes may be lost. What is written anew after the file was truncated is not
 * behind its end, unless the file was synchronised in between.
 */
public final class GrowingWrites
    implements TraceConsumer, EventGroups<RuntimeException>, FileEvent.Visitor<RuntimeException> {
  private final Set<Long> asked;

  /** By thread, the first record of a store of which more records come. */
  private final Map<Integer, Long> unfinished = new HashMap<>();

  private final Map<Integer, Long> sizes = new HashMap<>();

  /** Files that were truncated and not synchronised since. */
  private final Set<Integer> truncated = new HashSet<>();

  /** By thread: the call that does that stores next. */
  private final Map<Integer, Growth> growing = new HashMap<>();

  /** By the first record of the store: the {@link Location} where the file ended before. */
  private final Map<Long, Long> ends = new HashMap<>();

  /** Locations of a file's end. */
  private record Growth(long former, long present) {}

  /**
   * @param stores the ordinals of those of which it matters
   */
  public GrowingWrites(Set<Long> stores) {
    asked = Set.copyOf(stores);
  }

  /**
   * Whether a store, as far as it is to one line, was written behind the end of its file.
   *
   * @param line the location of the line
   */
  public boolean made(long store, long line) {
    Long end = ends.get(store);
    return end != null && line + LineWords.LINE > end;
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
    event.dispatch(this);
  }

  @Override
  public void file(FileEvent event) {
    event.accept(this);
  }

  @Override
  public void visit(TraceEvent.FileDefined defined) {
    sizes.put(defined.file(), defined.size());
  }

  @Override
  public void visit(TraceEvent.FileResized resized) {
    int file = resized.file();
    Long former = sizes.put(file, resized.size());
    if (former == null) {
      return;
    }
    if (resized.size() < former) {
      truncated.add(file);
    } else if (resized.size() > former && !truncated.contains(file)) {
      growing.put(
          resized.thread(),
          new Growth(Location.of(file, former), Location.of(file, resized.size())));
    }
  }

  @Override
  public void synchronisation(SyncEvent event) {
    if (!event.isGuarantee()) {
      return;
    }
    if (event.call().kind() == SyncKind.SYNC) {
      truncated.clear();
    } else {
      truncated.remove(Location.file(event.call().location()));
    }
  }

  @Override
  public void visit(TraceEvent.FileZeroed zeroed) {}

  @Override
  public void visit(TraceEvent.FileRenamed renamed) {}

  @Override
  public void visit(TraceEvent.FileLinked linked) {}

  @Override
  public void visit(TraceEvent.FileDeleted deleted) {}
}
