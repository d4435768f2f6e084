// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import java.util.List;
import java.util.stream.Stream;

/** Makes a target's stack what reports show. */
public final class TargetStack {
  private TargetStack() {}

  /**
   * The frames, innermost first, without those that start a program. An inlined function is a
   * separate frame, at the address of the one that it was inlined into.
   */
  public static List<StackFrame> of(CallStack stack) {
    return stack.framesOfProgram().stream().flatMap(TargetStack::frames).toList();
  }

  private static Stream<StackFrame> frames(Frame frame) {
    return frame.positions().stream()
        .map(
            position ->
                new StackFrame(
                    position.function(),
                    position.file(),
                    position.line(),
                    frame.module(),
                    "0x" + Long.toHexString(frame.offset())));
  }
}
