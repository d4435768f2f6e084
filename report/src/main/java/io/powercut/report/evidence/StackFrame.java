// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.report.format.ShortName;
import io.powercut.tree.UserCode;
import io.powercut.tree.language.AdaCode;
import org.jspecify.annotations.Nullable;

/**
 * One frame of a stack as reports show it.
 *
 * @param function demangled name, or empty when unknown
 * @param file source file, or empty when unknown
 * @param line line in {@code file}, from 1; 0 when unknown
 * @param module base name of the binary or library
 * @param offset offset in the module as hexadecimal, as {@code addr2line -e} takes it; empty when
 *     unknown
 */
public record StackFrame(String function, String file, int line, String module, String offset)
    implements UserCode.Function {
  @Override
  public String address() {
    return module + "+" + offset;
  }

  /**
   * The frame as one line of text: {@code function at file:line}, {@code function (module+offset)}
   * or {@code module+offset}. Long names of C++ are shortened.
   */
  public String text() {
    String place = module + (offset.isEmpty() ? "" : "+" + offset);
    String name =
        function.isEmpty()
            ? place
            : AdaCode.name(function, file).orElseGet(() -> ShortName.of(function));
    if (!file.isEmpty()) {
      return name + " at " + file + (line > 0 ? ":" + line : "");
    }
    // The end of a run is in no module.
    return function.isEmpty() || module.isEmpty() ? name : name + " (" + place + ")";
  }

  // Those of records are slow until the last compiler has seen them: reports compare thousands of
  // stacks before that.

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof StackFrame other
        && line == other.line
        && offset.equals(other.offset)
        && function.equals(other.function)
        && file.equals(other.file)
        && module.equals(other.module);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * offset.hashCode() + function.hashCode()) + file.hashCode()) + line;
  }
}
