// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * A load from a line.
 *
 * @param bytes of the line, one bit for each
 */
record Load(Access access, long bytes) {
  /**
   * Whether any window that ends behind this load, a later one, races with it if it does with the
   * other. Then the other need not be kept: what ended before was compared with it.
   */
  boolean replaces(Load other) {
    return isLike(other) && areAlike(locks(), other.locks());
  }

  /** Whether the two differ in their locks alone, and in time. */
  boolean isLike(Load other) {
    return bytes == other.bytes
        && access.place() == other.access.place()
        && access.thread() == other.access.thread();
  }

  /** That were held. */
  ImmutableList<HeldLock> locks() {
    return access.moment().held();
  }

  /** Whether two lists of locks protect from the same. */
  static boolean areAlike(List<HeldLock> some, List<HeldLock> others) {
    if (some.size() != others.size()) {
      return false;
    }
    for (int index = 0; index < some.size(); index++) {
      if (!some.get(index).isLike(others.get(index))) {
        return false;
      }
    }
    return true;
  }
}
