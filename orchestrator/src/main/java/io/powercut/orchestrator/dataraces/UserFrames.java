// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which frames of a stack are the program's own. */
final class UserFrames {
  private static final Pattern SYSTEM =
      Pattern.compile(
          "(?:libc|libm|libpthread|libstdc\\+\\+|libgcc_s|libpowercut-race|ld-linux.*|linux-vdso)\\.so.*");

  private UserFrames() {}

  /** The innermost one of them, or of all if there is none. */
  static Optional<StackFrame> of(List<StackFrame> stack) {
    return stack.stream()
        .filter(frame -> !isOfSystem(frame) && !UserCode.isOfSystem(frame.file()))
        .findFirst()
        .or(() -> stack.stream().findFirst());
  }

  /** The stack without what called the program's outermost function. */
  static List<StackFrame> withoutCallers(List<StackFrame> stack) {
    int end = stack.size();
    while (end > 0 && isOfSystem(stack.get(end - 1))) {
      end--;
    }
    return end == 0 ? stack : stack.subList(0, end);
  }

  private static boolean isOfSystem(StackFrame frame) {
    return SYSTEM.matcher(frame.module()).matches();
  }
}
