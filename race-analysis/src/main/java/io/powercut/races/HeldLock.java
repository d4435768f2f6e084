// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.LockKind;

/**
 * A lock that a thread holds.
 *
 * @param lock which one
 * @param isShared whether others may hold it in the same mode
 * @param since how often the thread had acquired a lock by then (HawkSet's timestamp)
 * @param depth how often it is held
 * @param stack where it was acquired
 */
record HeldLock(Lock lock, LockKind kind, boolean isShared, long since, int depth, int stack) {
  /**
   * A lock.
   *
   * @param process to whose memory it belongs; 0 for one in persistent memory
   * @param object its location
   */
  record Lock(int process, long object) {}

  HeldLock at(int otherDepth) {
    return new HeldLock(lock, kind, isShared, since, otherDepth, stack);
  }

  /** Whether not both may be held at the same time. */
  boolean excludes(HeldLock other) {
    return lock.equals(other.lock) && !(isShared && other.isShared);
  }

  /** Whether it was not released in between, where a thread held both. */
  boolean isStill(HeldLock other) {
    return lock.equals(other.lock) && since == other.since;
  }

  /** Whether both protect from the same. */
  boolean isLike(HeldLock other) {
    return lock.equals(other.lock) && isShared == other.isShared;
  }
}
