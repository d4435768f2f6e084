// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.timeline;

import io.powercut.report.evidence.Timeline;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.tree.Instruction;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last stores, flushes, fences, synchronisations and changes of metadata of a trace,
 * for drawings of what came before a crash. Volatile memory does not count, and of fences in a row
 * only the first does.
 */
public final class RecentEvents implements TraceConsumer {
  /** So many are remembered. */
  public static final int MOST = 512;

  private static final long NONE = -1;

  /** A ring; the next one goes to {@code count % MOST}. */
  private final @Nullable Happening[] ring = new Happening[MOST];

  /** By thread, the store to which its next record belongs. */
  private final Int2LongOpenHashMap unfinished = new Int2LongOpenHashMap();

  private final Calls calls = new Calls();
  private long count;

  /** Begins in front of a trace's first record. */
  public RecentEvents() {
    unfinished.defaultReturnValue(NONE);
  }

  /** Those that came last, the oldest first. */
  public List<Happening> now() {
    List<Happening> last = new ArrayList<>();
    for (long number = Math.max(0, count - MOST); number < count; number++) {
      Happening one = ring[(int) (number % MOST)];
      if (one != null) {
        last.add(one);
      }
    }
    return last;
  }

  private void add(Happening one) {
    ring[(int) (count % MOST)] = one;
    count++;
  }

  @Override
  public void store(StoreRecord store) {
    long begun = unfinished.get(store.thread());
    long ordinal = begun == NONE ? store.ordinal() : begun;
    if (store.hasMore()) {
      unfinished.put(store.thread(), ordinal);
    } else if (begun != NONE) {
      unfinished.remove(store.thread());
    }
    add(
        new Happening(
            Timeline.Action.STORE,
            ordinal,
            store.thread(),
            store.isNonTemporal() ? Instruction.NON_TEMPORAL_STORE : Instruction.STORE,
            store.site(),
            store.stack(),
            store.location(),
            store.size(),
            store.word(0),
            store.word(Long.BYTES)));
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    if (!Location.isVolatile(location)) {
      add(
          new Happening(
              Timeline.Action.FLUSH,
              ordinal,
              thread,
              kind.instruction(),
              site,
              stack,
              location,
              0,
              0,
              0));
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    Happening last = count == 0 ? null : ring[(int) ((count - 1) % MOST)];
    if (last == null || last.kind() != Timeline.Action.FENCE) {
      add(
          new Happening(
              Timeline.Action.FENCE, ordinal, thread, kind.instruction(), site, stack, 0, 0, 0, 0));
    }
  }

  @Override
  public void event(TraceEvent event) {
    event.dispatch(calls);
  }

  /** System calls that persist, or change a name or a size. */
  private final class Calls implements EventGroups<RuntimeException> {
    @Override
    public void synchronisation(SyncEvent event) {
      TraceEvent.Sync sync = event.call();
      if (event == sync) {
        add(
            Happening.call(
                Timeline.Action.SYNC, sync, sync.kind().instruction(), sync.site(), sync.stack()));
      }
    }

    @Override
    public void metadata(TraceEvent.MetadataChange change) {
      add(
          Happening.call(
              Timeline.Action.METADATA,
              change,
              change.kind().instruction(),
              change.site(),
              change.stack()));
    }
  }
}
