// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One frame of a crash's stack.
 *
 * @param function its name, demangled; {@code ??} if there is none, {@code <signal handler called>}
 *     for the kernel's frame
 * @param file the source file, if there is debug information
 * @param line the line in it
 * @param module the program or library, if the address lies in one
 * @param offset the address relative to where that module begins in memory
 */
public record CrashFrame(
    String function,
    Optional<String> file,
    OptionalInt line,
    Optional<String> module,
    OptionalLong offset) {
  /** What a debugger calls a function without a name. */
  static final String NO_NAME = "??";

  /** The base name of the program or library; empty if the address lies in none. */
  public String moduleName() {
    String path = module.orElse("");
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Whether the function has a name. */
  public boolean isNamed() {
    return !function.equals(NO_NAME);
  }

  /** The function, or where it is if it has no name. */
  String shortName() {
    return isNamed() ? function : toString();
  }

  /**
   * {@code function at file:line}, or {@code function in module+0xoffset}, or without symbols
   * {@code module+0xoffset}.
   */
  @Override
  public String toString() {
    if (file.isPresent() && line.isPresent()) {
      return function + " at " + file.get() + ":" + line.getAsInt();
    }
    if (module.isPresent() && offset.isPresent()) {
      return (isNamed() ? function + " in " : "")
          + moduleName()
          + "+0x"
          + Long.toHexString(offset.getAsLong());
    }
    return function;
  }
}
