// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import java.util.List;

/** Compares how the target came to two places. */
final class CallPath {
  private CallPath() {}

  /**
   * Whether both are done, or what does them was called, in one function on the same way.
   *
   * @param one innermost first, as the other
   */
  static boolean isOfOneFunction(List<StackFrame> one, List<StackFrame> other) {
    for (int depth = 1; depth <= Math.min(one.size(), other.size()); depth++) {
      StackFrame here = one.get(one.size() - depth);
      StackFrame there = other.get(other.size() - depth);
      if (!here.equals(there)) {
        return here.function().equals(there.function()) && here.file().equals(there.file());
      }
    }
    return false;
  }
}
