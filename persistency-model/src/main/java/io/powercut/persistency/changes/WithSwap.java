// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FileEvent;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hands a trace on with the stores of some code behind the next store of some other code, as if the
 * program did them in that order. They wait no longer than until something else persists: a flush
 * of what they store to, a fence of their thread, or a system call that persists or changes files.
 * A file may become longer meanwhile, as it does by the write that they wait for.
 *
 * <p>What the lines hold is not what a program with that order would leave in them; which stores
 * may be lost while others are there is.
 */
public final class WithSwap extends ForwardingTraceConsumer {
  private final StoreCode waiting;
  private final StoreCode first;
  private final boolean persistsFirst;
  private final List<StoreRecord> held = new ArrayList<>();
  private final Releases releases = new Releases();

  /** By file, as far as they are known. */
  private final Map<Integer, Long> sizes = new HashMap<>();

  /**
   * @param waiting the code whose stores wait
   * @param first the code for whose store they wait
   * @param persistsFirst whether that is flushed and fenced before they come
   * @param next gets the trace in that order
   */
  public WithSwap(StoreCode waiting, StoreCode first, boolean persistsFirst, TraceConsumer next) {
    super(next);
    this.waiting = requireNonNull(waiting, "waiting is null");
    this.first = requireNonNull(first, "first is null");
    this.persistsFirst = persistsFirst;
  }

  /** Whether a store that was told waits for the other. */
  public boolean isWaiting(long ordinal) {
    return held.stream().anyMatch(one -> one.ordinal() == ordinal);
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    StoreCode code = StoreCode.of(store.stack(), store.site());
    if (code.equals(waiting)) {
      held.add(store.copy());
      return;
    }
    super.store(store);
    if (code.equals(first) && !store.hasMore()) {
      if (persistsFirst) {
        super.flush(
            store.ordinal() + 1,
            store.thread(),
            FlushKind.CLWB,
            store.site(),
            store.stack(),
            store.location());
        super.flush(
            store.ordinal() + 1,
            store.thread(),
            FlushKind.CLWB,
            store.site(),
            store.stack(),
            store.location() + store.size() - 1);
        super.fence(store.ordinal(), store.thread(), FenceKind.SFENCE, store.site(), store.stack());
      }
      release();
    }
  }

  private void release() throws IOException {
    for (StoreRecord one : held) {
      super.store(one);
    }
    held.clear();
  }

  private static boolean touchesLine(StoreRecord store, long line) {
    return store.location() < line + LineWords.LINE && line < store.location() + store.size();
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    if (held.stream().anyMatch(one -> touchesLine(one, location & -LineWords.LINE))) {
      release();
    }
    super.flush(ordinal, thread, kind, site, stack, location);
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    if (held.stream().anyMatch(one -> one.thread() == thread)) {
      release();
    }
    super.fence(ordinal, thread, kind, site, stack);
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    event.dispatch(releases);
    super.event(event);
  }

  /** What the held stores come before, if they still wait then. */
  private final class Releases
      implements EventGroups<IOException>,
          SyncEvent.Visitor<IOException>,
          FileEvent.Visitor<IOException> {
    @Override
    public void synchronisation(SyncEvent event) throws IOException {
      event.accept(this);
    }

    @Override
    public void file(FileEvent event) throws IOException {
      event.accept(this);
    }

    @Override
    public void visit(TraceEvent.Sync begun) throws IOException {
      release();
    }

    /** What was stored since it began is not promised. */
    @Override
    public void visit(TraceEvent.SyncEnded ended) {}

    @Override
    public void visit(TraceEvent.FileResized resized) throws IOException {
      Long before = sizes.put(resized.file(), resized.size());
      if (before == null || resized.size() < before) {
        release();
      }
    }

    /** Of one whose zeros were stored before, all that may wait is among these stores. */
    @Override
    public void visit(TraceEvent.FileZeroed zeroed) throws IOException {
      if (!zeroed.isStored()) {
        release();
      }
    }

    @Override
    public void visit(TraceEvent.FileDefined defined) {
      sizes.put(defined.file(), defined.size());
    }

    @Override
    public void visit(TraceEvent.FileRenamed renamed) {}

    @Override
    public void visit(TraceEvent.FileLinked linked) {}

    @Override
    public void visit(TraceEvent.FileDeleted deleted) {}
  }
}
