// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The stack of a crash or a hang, as gdb printed it.
 *
 * @param frames innermost first, at most 200; empty if it is not known
 * @param address the address whose access failed, for example {@code 0x0}, if that was the cause
 * @param text what gdb printed
 * @param core the core file, if one could be written
 * @param missing why there is no stack, or why the one there is may not be the whole truth
 */
public record CrashStack(
    List<CrashFrame> frames,
    Optional<String> address,
    String text,
    Optional<Path> core,
    Optional<String> missing) {

  private static final Pattern SYSTEM =
      Pattern.compile("(libc|libpthread|libm|libstdc\\+\\+|ld-linux.*|ld)[.-].*");

  /**
   * Sources of the C library, where its debug information is installed: paths in its source tree.
   */
  private static final Pattern SYSTEM_SOURCE =
      Pattern.compile(
          "\\.\\./sysdeps/.*|\\./(assert|csu|debug|io|libio|malloc|misc|nptl|posix|setjmp|signal"
              + "|stdlib|string|sysdeps)/.*|.*/(glibc|gcc)-[0-9][^/]*/.*");

  /** Keeps its own copy. */
  public CrashStack {
    frames = List.copyOf(frames);
  }

  /** No stack, and why. */
  static CrashStack missing(String reason) {
    return new CrashStack(List.of(), Optional.empty(), "", Optional.empty(), Optional.of(reason));
  }

  /**
   * Where the code to look at is: the innermost frame whose source is known and that is not the C
   * library's; the innermost frame at all if there is none.
   */
  public Optional<CrashFrame> place() {
    return frames.stream()
        .filter(frame -> frame.file().isPresent() && !isOfTheSystem(frame))
        .findFirst()
        .or(this::top);
  }

  private static boolean isOfTheSystem(CrashFrame frame) {
    String module = frame.module().orElse("");
    String name = module.substring(module.lastIndexOf('/') + 1);
    return SYSTEM.matcher(name).matches()
        || SYSTEM_SOURCE.matcher(frame.file().orElse("")).matches();
  }

  /** The innermost frame. */
  public Optional<CrashFrame> top() {
    return frames.stream().findFirst();
  }
}
