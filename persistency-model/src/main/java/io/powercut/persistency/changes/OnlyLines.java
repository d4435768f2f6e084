// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import java.util.BitSet;
import java.util.Collection;

/**
 * Hands on what concerns a few cache lines: their stores and flushes, and all fences and events.
 * Lines do not depend on each other, so a model that gets this knows as much of them as one that
 * gets all.
 */
public final class OnlyLines extends ForwardingTraceConsumer {
  private final LongSet lines;

  /** By thread, whether the next record belongs to the same store. */
  private final BitSet unfinished = new BitSet();

  /** By thread, whether an element of its string instruction was handed on. */
  private final BitSet begun = new BitSet();

  /**
   * @param lines the locations of their first bytes
   */
  public OnlyLines(Collection<Long> lines, TraceConsumer next) {
    super(next);
    this.lines = new LongOpenHashSet(lines);
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    boolean hasMore = store.hasMore();
    boolean isElement = store.isElement();
    // A store is named after its first record, so all of its records are handed on.
    boolean isHandedOn =
        hasMore || unfinished.get(store.thread()) || isWanted(store.location(), store.size());
    if (isHandedOn) {
      StoreRecord known =
          isElement && !begun.get(store.thread())
              ? store.withFlags(store.flags() & ~StoreFlags.ELEMENT)
              : store;
      super.store(known);
    }
    unfinished.set(store.thread(), hasMore);
    begun.set(store.thread(), isHandedOn || (isElement && begun.get(store.thread())));
  }

  private boolean isWanted(long location, int size) {
    for (long line = location & -LineWords.LINE; line < location + size; line += LineWords.LINE) {
      if (lines.contains(line)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    if (lines.contains(location & -LineWords.LINE)) {
      super.flush(ordinal, thread, kind, site, stack, location);
    }
  }
}
