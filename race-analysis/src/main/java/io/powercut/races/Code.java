// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.Location;
import io.powercut.tree.CallStack;
import java.util.Optional;

/**
 * Code that did something.
 *
 * @param stack nothing if it is not known
 * @param place a number for the place in the user's code; what a helper does for two callers is at
 *     two places
 * @param isIgnored whether it is in an excluded function, or in one of the C library that works on
 *     a lock. Such a lock's state may lie in persistent memory, and is transient all the same
 * @param isOfPmdk whether it is libpmemobj's
 * @param isReleasing whether it is in a function that releases something. The fence in it comes
 *     before other threads can go on, although the release was told when the function was entered
 */
record Code(
    Optional<CallStack> stack,
    int place,
    boolean isIgnored,
    boolean isOfPmdk,
    boolean isReleasing) {
  /**
   * Where libpmemobj keeps in a pool what it knows while the pool is open, such as the next lane to
   * be used. It forgets that when it opens one.
   */
  private static final long RUN_TIME_STATE = 0x1a00;

  private static final long END_OF_RUN_TIME_STATE = 0x2000;

  /** Of which nothing is known. */
  static final Code UNKNOWN = new Code(Optional.empty(), -1, false, false, false);

  /** Whether what it does in a line is not looked at; all or none of the line's bytes. */
  boolean isIgnoredAt(long line) {
    long offset = Location.offset(line);
    return isIgnored || (isOfPmdk && offset >= RUN_TIME_STATE && offset < END_OF_RUN_TIME_STATE);
  }
}
