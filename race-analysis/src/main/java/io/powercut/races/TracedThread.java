// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.powercut.races.HeldLock.Lock;
import io.powercut.trace.LockKind;
import io.powercut.trace.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread: what happened before, and the locks that it holds. */
final class TracedThread {
  private final int number;
  private int process;
  private VectorClock order;
  private VectorClock fullOrder;
  private ImmutableList<HeldLock> held = ImmutableList.of();
  private long activity;
  private long stores;
  private boolean isInStore;
  private long acquired = -1;
  private Moment.UntilRelease untilRelease = new Moment.UntilRelease();
  private @Nullable Moment now;
  private @Nullable Moment beforeRelease;

  TracedThread(int number, int process) {
    this.number = number;
    this.process = process;
    this.order = VectorClock.NOTHING.after(number);
    this.fullOrder = order;
  }

  int number() {
    return number;
  }

  int process() {
    return process;
  }

  void setProcess(int newProcess) {
    process = newProcess;
  }

  VectorClock order() {
    return order;
  }

  VectorClock fullOrder() {
    return fullOrder;
  }

  /**
   * It stores.
   *
   * @param isLast whether the store has no more records
   */
  void stores(boolean isLast) {
    stores += isInStore ? 0 : 1;
    isInStore = !isLast;
  }

  /** It does something that shows that it is alive. */
  void isActive() {
    activity++;
  }

  /** Of what it has done by now; more as long as it lives. */
  long activity() {
    return activity;
  }

  /** How many stores it has made, with the one that it is in. */
  long stores() {
    return stores;
  }

  /** As it is now. */
  Moment now() {
    Moment known = now;
    if (known == null) {
      known = new Moment(number, order, fullOrder, held, acquired, untilRelease);
      now = known;
    }
    return known;
  }

  /** As it is now, without the locks that it did not hold at an earlier place of the trace. */
  Moment since(long ordinal) {
    ImmutableList<HeldLock> early =
        held.stream().filter(lock -> lock.since() < ordinal).collect(toImmutableList());
    return new Moment(number, order, fullOrder, early, acquired, untilRelease);
  }

  /** As it was before its last release; as it is now if there was none. */
  Moment beforeRelease() {
    Moment known = beforeRelease;
    return known == null ? now() : known;
  }

  /** What others did happened before what it does from that record on. */
  void learn(VectorClock theirs, VectorClock theirFullOrder, long ordinal) {
    acquired = ordinal;
    order = order.with(theirs);
    fullOrder = fullOrder.with(theirFullOrder);
    now = null;
  }

  /** What it does from that record on others do not know of. */
  void released(boolean isByLock, long ordinal) {
    untilRelease.end(ordinal);
    untilRelease = new Moment.UntilRelease();
    order = isByLock ? order : order.after(number);
    fullOrder = fullOrder.after(number);
    now = null;
  }

  /** The lock, if it holds it. */
  @Nullable HeldLock find(Lock lock) {
    for (HeldLock one : held) {
      if (one.lock().equals(lock)) {
        return one;
      }
    }
    return null;
  }

  /**
   * A version lock that is held shared becomes exclusive. All others are recursive.
   *
   * @param before from whom it is taken over
   */
  void hold(Lock lock, TraceEvent.Acquired acquired, HeldLock.@Nullable Before before) {
    LockKind kind = acquired.kind();
    boolean isShared = acquired.isShared();
    HeldLock known = find(lock);
    boolean isUpgraded =
        known != null && kind == LockKind.OWN_LOCK && known.isShared() && !isShared;
    replace(
        known,
        known == null || isUpgraded
            ? new HeldLock(lock, kind, isShared, acquired.ordinal(), 1, acquired.stack(), before)
            : known.at(known.depth() + 1));
  }

  /** It gives a lock back, or one level of it. */
  void release(HeldLock lock) {
    replace(lock, lock.depth() == 1 ? null : lock.at(lock.depth() - 1));
  }

  /** It is about to release something. */
  void releases() {
    beforeRelease = now();
  }

  private void replace(@Nullable HeldLock old, @Nullable HeldLock other) {
    List<HeldLock> changed = new ArrayList<>(held);
    if (old != null) {
      changed.remove(old);
    }
    if (other != null) {
      changed.add(other);
    }
    held = ImmutableList.copyOf(changed);
    now = null;
  }
}
