// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.knowledge;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.PythonCode;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The user's call into a library in which an instruction is.
 *
 * @param library its name without version, such as {@code libpmemobj}
 * @param function what was called; empty when unknown
 */
public record LibraryCall(String library, String function) {
  /**
   * Libraries that do what their caller tells them, a flush or a copy: they are the caller's own
   * doing.
   */
  private static final Pattern PRIMITIVES =
      Pattern.compile(
          "(?:libpmem2?|libc|libm|libpthread|libasan|libstdc\\+\\+|libpowercut-race|vgpreload.*|ld.*)");

  /** Functions of libpmemobj that do so. */
  private static final Pattern PRIMITIVE_CALLS =
      Pattern.compile("pmemobj_(?:x?persist|x?flush|drain|mem(?:cpy|move|set)(?:_persist)?)");

  private static final Pattern VERSION = Pattern.compile("(?:-[0-9.]+)?\\.so(?:\\..*)?$");

  /**
   * The call in a stack.
   *
   * @param stack innermost first
   * @return nothing if the instruction is the user's own, or one that a library executed as told
   */
  public static Optional<LibraryCall> of(List<StackFrame> stack) {
    Optional<StackFrame> user = UserCode.of(stack);
    if (user.isEmpty()) {
      return Optional.empty();
    }
    String program = user.get().module();
    for (int index = stack.indexOf(user.get()) - 1; index >= 0; index--) {
      StackFrame frame = stack.get(index);
      String library = VERSION.matcher(frame.module()).replaceAll("");
      boolean isOther = !frame.module().equals(program) && !frame.module().equals(library);
      boolean doesAsItIsTold =
          PRIMITIVES.matcher(library).matches() || PythonCode.isModule(frame.module());
      if (isOther && !doesAsItIsTold) {
        return PRIMITIVE_CALLS.matcher(frame.function()).matches()
            ? Optional.empty()
            : Optional.of(new LibraryCall(library, frame.function()));
      }
    }
    return Optional.empty();
  }
}
