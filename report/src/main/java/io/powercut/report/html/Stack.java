// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Text;
import io.powercut.tree.PythonCode;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call stack with its sources.
 *
 * @param frames the innermost frames, innermost first
 * @param outer the others
 */
record Stack(List<ShownFrame> frames, List<ShownFrame> outer) {
  private static final int FRAMES_SHOWN = 12;
  private static final int NAME_LENGTH = 300;

  Stack {
    frames = List.copyOf(frames);
    outer = List.copyOf(outer);
  }

  /**
   * @param function its name, or its place in the binary when it has none
   * @param place source file and line, or the binary; empty when the function says everything
   * @param excerpt the source, when it is to be had
   * @param open whether its source is to be seen at once
   */
  record ShownFrame(String function, String place, @Nullable Excerpt excerpt, boolean open) {}

  /** Every frame with its source. */
  static Stack of(List<StackFrame> stack, SourceFiles sources) {
    return of(stack, sources, false);
  }

  /** The user's frame with its source, and the others without. */
  static Stack ofUser(List<StackFrame> stack, SourceFiles sources) {
    return of(stack, sources, true);
  }

  private static Stack of(List<StackFrame> stack, SourceFiles sources, boolean userOnly) {
    List<ShownFrame> shown = new ArrayList<>();
    Optional<StackFrame> user = UserCode.of(stack);
    boolean opened = false;
    for (StackFrame frame : stack) {
      boolean isUsers = user.equals(Optional.of(frame));
      Excerpt excerpt =
          (UserCode.isOfSystem(frame.file()) && !(isUsers && PythonCode.isPackage(frame.file())))
                  || (userOnly && !isUsers)
              ? null
              : sources.around(frame).orElse(null);
      boolean open = !opened && excerpt != null && isUsers;
      opened |= open;
      shown.add(new ShownFrame(function(frame), place(frame), excerpt, open));
    }
    int limit = Math.min(FRAMES_SHOWN, shown.size());
    return new Stack(shown.subList(0, limit), shown.subList(limit, shown.size()));
  }

  private static String function(StackFrame frame) {
    String address = frame.module() + (frame.offset().isEmpty() ? "" : "+" + frame.offset());
    return Text.beginning(frame.function().isEmpty() ? address : frame.function(), NAME_LENGTH);
  }

  private static String place(StackFrame frame) {
    if (!frame.file().isEmpty()) {
      return frame.file() + (frame.line() > 0 ? ":" + frame.line() : "");
    }
    return frame.function().isEmpty() ? "" : frame.module();
  }
}
