// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import io.powercut.trace.EventGroups;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.BitSet;

/**
 * Finds the failure points in a trace and grows the tree.
 *
 * <p>A failure point is a candidate (flush of PM, fence, synchronisation, write through a
 * descriptor with {@code O_DSYNC}, change of metadata; each store too when the granularity says so)
 * before which at least one PM store, acknowledgement or change of metadata happened since the last
 * failure point, while the analysis is active and outside excluded functions. The recorder decides
 * the same way while it runs.
 */
public final class FailurePointDetector
    implements TraceConsumer, EventGroups<IOException>, SyncEvent.Visitor<IOException> {
  private static final int NO_THREAD = -1;
  private static final FailurePointListener NOBODY = (ordinal, stack, instruction, isNew) -> {};

  private final TraceTables tables;
  private final FailurePointTree tree;
  private final FailurePointListener listener;
  private final boolean everyStore;
  private final BitSet known = new BitSet();
  private final BitSet excluded = new BitSet();
  private boolean active;
  private boolean pending;

  /** The thread whose store continues in its next record. */
  private int splitThread = NO_THREAD;

  private long failurePoints;

  private FailurePointDetector(
      TraceTables tables, FailurePointTree tree, boolean active, FailurePointListener listener) {
    this.tables = tables;
    this.tree = tree;
    this.active = active;
    this.listener = listener;
    this.everyStore = tree.granularity() == Granularity.STORE;
  }

  /**
   * A detector for a trace whose analysis is active from the start.
   *
   * @param tables fed by the same reader, before this
   * @param tree whose granularity counts, and to which failure points are added
   */
  public static FailurePointDetector into(FailurePointTree tree, TraceTables tables) {
    return new FailurePointDetector(tables, tree, true, NOBODY);
  }

  /** A detector that begins at the first begin mark, if the recorder was given one. */
  public FailurePointDetector waitingForBeginMark() {
    return new FailurePointDetector(tables, tree, false, listener);
  }

  /** A detector that reports to a listener. */
  public FailurePointDetector telling(FailurePointListener newListener) {
    return new FailurePointDetector(tables, tree, active, newListener);
  }

  /** The tree that grows. */
  public FailurePointTree tree() {
    return tree;
  }

  /** Whether the trace is between the marks now. */
  public boolean isActive() {
    return active;
  }

  /** Occurrences of failure points so far. */
  public long failurePoints() {
    return failurePoints;
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    boolean goesOn = splitThread == store.thread();
    boolean moreFollows = store.hasMore();
    if (moreFollows) {
      splitThread = store.thread();
    } else if (goesOn) {
      splitThread = NO_THREAD;
    }
    if (!active) {
      return;
    }
    if ((everyStore || store.isSynchronousWrite()) && pending && !goesOn) {
      candidate(store.ordinal(), store.stack(), StoreFlags.instruction(store.flags()));
    }
    // A store whose rest is missing, because its process was killed, was not counted either.
    pending |= !moreFollows;
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    if (pending && active && !Location.isVolatile(location)) {
      candidate(ordinal, stack, kind.instruction());
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    if (pending && active) {
      candidate(ordinal, stack, kind.instruction());
    }
  }

  /** What was acknowledged is part of the image that a crash leaves. */
  @Override
  public void output(TraceEvent.Output output) {
    pending |= active && output.acknowledges();
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    event.dispatch(this);
  }

  @Override
  public void synchronisation(SyncEvent event) throws IOException {
    event.accept(this);
  }

  @Override
  public void visit(TraceEvent.Sync sync) throws IOException {
    if (pending && active) {
      candidate(sync.ordinal(), sync.stack(), sync.kind().instruction());
    }
  }

  /** The failure point is before the call. */
  @Override
  public void visit(TraceEvent.SyncEnded ended) {}

  /** The failure point is before the call, and the next one sees what the call changed. */
  @Override
  public void metadata(TraceEvent.MetadataChange change) throws IOException {
    if (pending && active) {
      candidate(change.ordinal(), change.stack(), change.kind().instruction());
    }
    pending |= active && change.counts();
  }

  @Override
  public void mark(TraceEvent.Mark mark) {
    active = mark.kind() == TraceEvent.MarkKind.BEGIN;
  }

  private void candidate(long ordinal, int stack, Instruction instruction) throws IOException {
    if (stack == 0 || isExcluded(stack)) {
      return;
    }
    CallStack callStack = tables.stack(stack);
    pending = false;
    failurePoints++;
    boolean isNew = tree.reach(callStack, instruction, ordinal);
    listener.reached(ordinal, callStack, instruction, isNew);
  }

  /** Decided once for each stack, when its identity is checked too. */
  private boolean isExcluded(int stack) {
    if (!known.get(stack)) {
      CallStack callStack = tables.stack(stack);
      requireSameId(callStack, tables.recordedId(stack));
      excluded.set(stack, tables.isExcluded(stack) || tree.excluded().exclude(callStack));
      known.set(stack);
    }
    return excluded.get(stack);
  }

  private static void requireSameId(CallStack stack, FailurePointId recorded) {
    if (!stack.id().equals(recorded)) {
      throw new IllegalStateException(
          "recorder and reader compute different ids, "
              + recorded
              + " and "
              + stack.id()
              + ", for the stack\n"
              + stack.describe());
    }
  }
}
