// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.LockKind;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a thread holds.
 *
 * @param lock which one
 * @param isShared whether others may hold it in the same mode
 * @param since the ordinal of the acquisition (HawkSet's timestamp)
 * @param depth how often it is held
 * @param stack where it was acquired
 * @param before from whom it was taken over; nothing if it was free
 */
record HeldLock(
    Lock lock,
    LockKind kind,
    boolean isShared,
    long since,
    int depth,
    int stack,
    @Nullable Before before) {
  /**
   * A lock.
   *
   * @param process to whose memory it belongs; 0 for one in persistent memory
   * @param object its location
   */
  record Lock(int process, long object) {}

  /**
   * The one who held a robust mutex up to its death: the next one to acquire it takes it over, and
   * nobody has released it.
   *
   * @param held by the dead one
   * @param activity of the dead one when that was; none comes behind a death
   */
  record Before(TracedThread owner, HeldLock held, long activity) {
    static Before of(TracedThread owner, HeldLock held) {
      return new Before(owner, held, owner.activity());
    }

    /** Whether nothing speaks against its death. */
    private boolean isDead() {
      return owner.activity() == activity;
    }
  }

  HeldLock at(int otherDepth) {
    return new HeldLock(lock, kind, isShared, since, otherDepth, stack, before);
  }

  /**
   * Whether it was not released since a thread held it. That thread may be a dead one from whom it
   * was taken over, or one from whom that one had taken it over.
   *
   * @param mine the thread that holds this
   */
  boolean continues(HeldLock other, int thread, int mine) {
    if (thread == mine) {
      return other.isStill(this);
    }
    return before != null
        && before.isDead()
        && before.held.continues(other, thread, before.owner.number());
  }

  /** Whether not both may be held at the same time. */
  boolean excludes(HeldLock other) {
    return lock.equals(other.lock) && !(isShared && other.isShared);
  }

  /** Whether it was not released in between, where a thread held both. */
  boolean isStill(HeldLock other) {
    return since == other.since && lock.equals(other.lock);
  }

  /** Whether both protect from the same. */
  boolean isLike(HeldLock other) {
    return lock.equals(other.lock) && isShared == other.isShared;
  }

  private boolean isLikeOneOf(List<HeldLock> others) {
    return others.stream().anyMatch(this::isLike);
  }

  /**
   * Whether nobody who holds few locks can exclude all of some sets without excluding the old one:
   * one of them is part of it, or many have nothing in common but a part of it. With a lock for
   * each node, a line that all use would else have as many sets as there are nodes.
   *
   * @param many more than anybody holds
   */
  static boolean standFor(List<HeldLock> old, List<? extends List<HeldLock>> sets, int many) {
    for (List<HeldLock> first : sets) {
      List<HeldLock> common = first.stream().filter(lock -> lock.isLikeOneOf(old)).toList();
      if (common.size() == first.size() || areApart(common, sets, many)) {
        return true;
      }
    }
    return false;
  }

  /** Whether so many sets have that in common, and no lock else. */
  private static boolean areApart(
      List<HeldLock> common, List<? extends List<HeldLock>> sets, int many) {
    Set<Lock> others = new HashSet<>();
    int count = 0;
    for (List<HeldLock> set : sets) {
      Set<Lock> rest = new HashSet<>();
      for (HeldLock one : set) {
        if (!one.isLikeOneOf(common)) {
          rest.add(one.lock);
        }
      }
      if (set.size() - rest.size() == common.size() && Collections.disjoint(rest, others)) {
        others.addAll(rest);
        count++;
      }
    }
    return count >= many;
  }
}
