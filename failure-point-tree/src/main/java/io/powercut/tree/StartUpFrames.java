// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.collect.ImmutableSet;
import java.util.List;

/**
 * The frames outside {@code main} or a thread's first function, which belong to the C library and
 * tell a reader nothing.
 */
final class StartUpFrames {
  private static final ImmutableSet<String> NAMES =
      ImmutableSet.of(
          "_start",
          "(below main)",
          "__libc_start_main",
          "__libc_start_call_main",
          "generic_start_main",
          "call_init",
          "clone",
          "__clone",
          "clone3",
          "__clone3",
          "start_thread",
          "__GI___clone",
          "__GI___clone3");

  private StartUpFrames() {}

  /** The frames up to the start-up code, innermost first; all when nothing else would be left. */
  static List<Frame> withoutStartUp(List<Frame> frames) {
    int end = frames.size();
    while (end > 0 && isStartUp(frames.get(end - 1))) {
      end--;
    }
    return end == 0 ? frames : frames.subList(0, end);
  }

  private static boolean isStartUp(Frame frame) {
    String function = frame.function();
    int version = function.indexOf('@');
    return NAMES.contains(withoutVariant(version < 0 ? function : function.substring(0, version)));
  }

  /** {@code __libc_start_main_impl} and the like are the same function. */
  private static String withoutVariant(String function) {
    return function.endsWith("_impl") ? function.substring(0, function.length() - 5) : function;
  }
}
