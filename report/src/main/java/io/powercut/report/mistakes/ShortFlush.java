// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.tree.UserCode;
import io.powercut.tree.source.PassedRange;
import java.util.List;
import java.util.Optional;

/**
 * The code that says how much is flushed: a line of the user's code, and who called that if the
 * size may come from there.
 *
 * @param flush the line
 * @param caller nothing if the line says the size
 */
public record ShortFlush(CrashPlaces.Line flush, Optional<CrashPlaces.Line> caller) {
  /** That of a flush with this stack; nothing if it is not known. */
  public static Optional<ShortFlush> of(List<StackFrame> stack) {
    Optional<StackFrame> user = UserCode.of(stack).filter(frame -> frame.line() > 0);
    Optional<StackFrame> caller =
        user.filter(frame -> PassedRange.mayBeAt(frame.file(), frame.line()))
            .flatMap(frame -> TargetStack.caller(stack, frame));
    return user.map(frame -> new ShortFlush(line(frame), caller.map(ShortFlush::line)));
  }

  private static CrashPlaces.Line line(StackFrame frame) {
    return new CrashPlaces.Line(frame.file(), frame.line(), "");
  }
}
