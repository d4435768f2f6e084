package io.powercut.orchestrator.report;

import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import java.util.List;

/** Makes a target's stack what reports show. */
public final class TargetStack {
  private TargetStack() {}

  /** The frames, innermost first, without those that start a program. */
  public static List<StackFrame> of(CallStack stack) {
    return stack.framesOfProgram().stream().map(TargetStack::frame).toList();
  }

  /** One frame. */
  public static StackFrame frame(Frame frame) {
    return new StackFrame(
        frame.function(),
        frame.file(),
        frame.line(),
        frame.module(),
        "0x" + Long.toHexString(frame.offset()));
  }
}
