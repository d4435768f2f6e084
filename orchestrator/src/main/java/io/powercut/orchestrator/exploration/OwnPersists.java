// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.LockEvent;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.ThreadEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether threads persist certain stores by themselves with what they do next, but another thread
 * acts in between. To add a flush or a fence behind such a store changes nothing: it stands there.
 */
final class OwnPersists implements TraceConsumer, EventGroups<RuntimeException> {
  private final Set<Long> awaited;
  private final List<Wait> waits = new ArrayList<>();
  private boolean isDisturbed;
  private boolean isElsewhere;

  /** A store that is not persisted yet. */
  private static final class Wait {
    private final int thread;
    private final Set<Long> lines = new HashSet<>();
    private final Set<Long> unflushed = new HashSet<>();
    private boolean isComplete;
    private boolean isFenced = true;

    Wait(StoreRecord store) {
      thread = store.thread();
      add(store);
    }

    private void add(StoreRecord store) {
      lines.addAll(linesOf(store));
      if (store.isNonTemporal()) {
        isFenced = false;
      } else {
        unflushed.addAll(linesOf(store));
      }
      isComplete = !store.hasMore();
    }

    /** Whether a store of its thread is a part of it, or to the same lines. */
    boolean takes(StoreRecord store) {
      if (!isComplete || store.isElement()) {
        add(store);
        return true;
      }
      return lines.containsAll(linesOf(store));
    }

    void flush(FlushKind kind, long line) {
      // This one needs no fence.
      isFenced &= !unflushed.remove(line) || kind == FlushKind.CLFLUSH;
    }

    boolean isOver() {
      return isComplete && unflushed.isEmpty() && isFenced;
    }

    private static List<Long> linesOf(StoreRecord store) {
      List<Long> lines = new ArrayList<>();
      for (long line = store.location() & -LineWords.LINE;
          line < store.location() + store.size();
          line += LineWords.LINE) {
        lines.add(line);
      }
      return lines;
    }
  }

  /**
   * @param stores the ordinals of the stores
   */
  OwnPersists(Collection<Long> stores) {
    awaited = new HashSet<>(stores);
  }

  /** Whether each of them is persisted so, and another thread acted before at least one was. */
  boolean hold() {
    return isDisturbed && !isElsewhere && areOver();
  }

  /** Whether nothing that comes can change the answer. */
  boolean areDecided() {
    return isElsewhere || areOver();
  }

  private boolean areOver() {
    return awaited.isEmpty() && waits.isEmpty();
  }

  @Override
  public void store(StoreRecord store) {
    for (Wait wait : waits) {
      if (wait.thread == store.thread()) {
        isElsewhere |= !wait.takes(store);
      } else {
        isDisturbed = true;
      }
    }
    if (awaited.remove(store.ordinal())) {
      isElsewhere |= StoreFlags.isZeroed(store.flags());
      waits.add(new Wait(store));
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    waits.stream()
        .filter(wait -> wait.thread == thread)
        .forEach(wait -> wait.flush(kind, location & -LineWords.LINE));
    waits.removeIf(Wait::isOver);
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    waits.stream().filter(wait -> wait.thread == thread).forEach(wait -> wait.isFenced = true);
    waits.removeIf(Wait::isOver);
  }

  @Override
  public void event(TraceEvent event) {
    event.dispatch(this);
  }

  @Override
  public void output(TraceEvent.Output event) {
    isDisturbed |= waits.stream().anyMatch(wait -> wait.thread != event.thread());
    isElsewhere |= isWaiting(event.thread());
  }

  /** Others may go on with what the thread stored. */
  @Override
  public void lock(LockEvent event) {
    isElsewhere |= event instanceof TraceEvent.Released && isWaiting(event.thread());
  }

  @Override
  public void thread(ThreadEvent event) {
    isElsewhere |= isWaiting(event.thread());
  }

  private boolean isWaiting(int thread) {
    return waits.stream().anyMatch(wait -> wait.thread == thread);
  }
}
