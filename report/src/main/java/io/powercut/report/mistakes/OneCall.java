// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** One call of a function of the user's, as far as stacks show it. */
final class OneCall {
  private OneCall() {}

  /**
   * Whether the function that made a store made another one in the same call, or called who did.
   */
  static boolean made(List<StackFrame> store, List<StackFrame> other) {
    return depth(store, other).isPresent();
  }

  /**
   * How many calls are below the function that made a store, in the stack of something else that
   * the same call made, or called for; nothing if it did not.
   */
  static OptionalInt depth(List<StackFrame> store, List<StackFrame> other) {
    int user = UserCode.of(store).map(store::indexOf).orElse(-1);
    if (user < 0) {
      return OptionalInt.empty();
    }
    StackFrame function = store.get(user);
    for (int index = 0; index < other.size(); index++) {
      StackFrame frame = other.get(index);
      if (frame.function().equals(function.function())
          && frame.module().equals(function.module())
          && areSame(other, index + 1, store, user + 1)) {
        return OptionalInt.of(index);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Of the calls above, as many as are known. What is inlined into them has another address each.
   */
  private static boolean areSame(
      List<StackFrame> one, int from, List<StackFrame> another, int fromAnother) {
    int known = Math.min(one.size() - from, another.size() - fromAnother);
    return IntStream.range(0, known)
        .mapToObj(depth -> List.of(one.get(from + depth), another.get(fromAnother + depth)))
        .allMatch(calls -> calls.get(0).text().equals(calls.get(1).text()));
  }
}
