// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

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
 * @param isReleasing whether it is in a function that releases something. The fence in it comes
 *     before other threads can go on, although the release was told when the function was entered
 */
record Code(Optional<CallStack> stack, int place, boolean isIgnored, boolean isReleasing) {
  /** Of which nothing is known. */
  static final Code UNKNOWN = new Code(Optional.empty(), -1, false, false);
}
