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

  /** {@code function at file:line}, or {@code function in module+0xoffset}. */
  @Override
  public String toString() {
    if (file.isPresent() && line.isPresent()) {
      return function + " at " + file.get() + ":" + line.getAsInt();
    }
    if (module.isPresent() && offset.isPresent()) {
      return function + " in " + module.get() + "+0x" + Long.toHexString(offset.getAsLong());
    }
    return function;
  }
}
