// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.LockKind;
import java.util.HashMap;
import java.util.Map;

/** What threads synchronise by, and what its releases make known to those that acquire it. */
final class SyncObject {
  /** What is known in a round of a barrier: all of it to each thread that leaves. */
  private static final class Round {
    private VectorClock order = VectorClock.NOTHING;
    private VectorClock fullOrder = VectorClock.NOTHING;
    private boolean isOver;
  }

  private final LockKind kind;
  private VectorClock order = VectorClock.NOTHING;
  private VectorClock fullOrder = VectorClock.NOTHING;

  /** Without releases by readers, which do not order other readers. */
  private VectorClock fullOrderOfWriters = VectorClock.NOTHING;

  private Round round = new Round();

  /** By thread, the round in which it waits. */
  private final Map<Integer, Round> waiting = new HashMap<>(0);

  SyncObject(LockKind kind) {
    this.kind = kind;
  }

  /** A thread releases it. */
  void release(TracedThread thread, boolean isShared) {
    if (kind == LockKind.BARRIER) {
      round = round.isOver ? new Round() : round;
      round.order = round.order.with(thread.order());
      round.fullOrder = round.fullOrder.with(thread.fullOrder());
      waiting.put(thread.number(), round);
      return;
    }
    if (!kind.isHeld()) {
      order = order.with(thread.order());
    }
    fullOrder = fullOrder.with(thread.fullOrder());
    if (!isShared) {
      fullOrderOfWriters = fullOrderOfWriters.with(thread.fullOrder());
    }
  }

  /** A thread has acquired it, in that record. */
  void acquire(TracedThread thread, boolean isShared, long ordinal) {
    if (kind != LockKind.BARRIER) {
      thread.learn(order, isShared ? fullOrderOfWriters : fullOrder, ordinal);
      return;
    }
    Round left = waiting.remove(thread.number());
    if (left != null) {
      left.isOver = true;
      thread.learn(left.order, left.fullOrder, ordinal);
    }
  }
}
