// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Hands a trace on with flushes or fences added behind the stores of some code, as if the program
 * had them: the reverse of {@link WithoutPersists}.
 */
public final class WithPersists extends ForwardingTraceConsumer {
  /** What is added. */
  public enum Added {
    /** Behind each store a flush ({@code clwb}) of what it stored to, and no fence. */
    FLUSH,
    /** Behind each store a flush of what it stored to, and a fence. */
    FLUSH_AND_FENCE,
    /** A fence behind each flush of what was stored, and behind each store past the cache. */
    FENCE
  }

  private final Set<StoreCode> codes;
  private final Added added;

  /** The lines of the stores that nothing was added behind yet. */
  private final Set<Long> stored = new LinkedHashSet<>();

  /**
   * @param codes behind whose stores something is added
   * @param next gets the trace with it
   */
  public WithPersists(Set<StoreCode> codes, Added added, TraceConsumer next) {
    super(next);
    this.codes = Set.copyOf(codes);
    this.added = requireNonNull(added, "added is null");
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    if (!codes.contains(StoreCode.of(store.stack(), store.site()))) {
      super.store(store);
      return;
    }
    if (StoreFlags.isZeroed(store.flags())) {
      // No flush does anything for it: what stands for a flush and a fence is a synchronisation.
      super.store(
          added == Added.FLUSH_AND_FENCE
              ? store.withFlags(store.flags() | StoreFlags.SYNCHRONOUS_WRITE)
              : store);
      return;
    }
    super.store(store);
    for (long line = store.location() & -LineWords.LINE;
        line < store.location() + store.size();
        line += LineWords.LINE) {
      stored.add(line);
    }
    boolean isWhole = !store.hasMore();
    if (isWhole && added != Added.FENCE) {
      for (long line : stored) {
        // Behind this record, and in front of the next.
        super.flush(
            store.ordinal() + 1, store.thread(), FlushKind.CLWB, store.site(), store.stack(), line);
      }
      stored.clear();
    }
    boolean isPastCache = store.isNonTemporal();
    if (isWhole && (added == Added.FLUSH_AND_FENCE || (added == Added.FENCE && isPastCache))) {
      super.fence(store.ordinal(), store.thread(), FenceKind.SFENCE, store.site(), store.stack());
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    super.flush(ordinal, thread, kind, site, stack, location);
    if (added == Added.FENCE && stored.remove(location & -LineWords.LINE)) {
      super.fence(ordinal, thread, FenceKind.SFENCE, site, stack);
    }
  }
}
