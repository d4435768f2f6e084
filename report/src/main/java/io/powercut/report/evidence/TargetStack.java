// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes a target's stack what reports show, and tells places in it. */
public final class TargetStack {
  private TargetStack() {}

  /**
   * The frames, innermost first, without those that start a program. An inlined function is a
   * separate frame, at the address of the one that it was inlined into. Those of a line that only
   * returns what it reads or computes are left out: whatever is done there, its caller does.
   */
  public static List<StackFrame> of(CallStack stack) {
    return UserCode.ofStore(ofLoad(stack));
  }

  /** All of the frames: a load may be made to compute what a function returns. */
  public static List<StackFrame> ofLoad(CallStack stack) {
    return stack.framesOfProgram().stream().flatMap(TargetStack::frames).toList();
  }

  /**
   * The user's place in words. A place without a source, as in a library, comes with the innermost
   * call that has one.
   */
  public static Optional<String> place(List<StackFrame> stack) {
    Optional<StackFrame> user = UserCode.of(stack);
    return user.map(
        frame ->
            Optional.of(frame)
                .filter(one -> one.file().isEmpty())
                .flatMap(one -> caller(stack, one))
                .map(caller -> frame.text() + " called from " + caller.text())
                .orElseGet(frame::text));
  }

  /** The user's place behind a frame of the stack, among those that have a source. */
  public static Optional<StackFrame> caller(List<StackFrame> stack, StackFrame of) {
    return UserCode.of(
        stack.subList(stack.indexOf(of) + 1, stack.size()).stream()
            .filter(caller -> !caller.file().isEmpty() && !UserCode.isOfSystem(caller.file()))
            .toList());
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
