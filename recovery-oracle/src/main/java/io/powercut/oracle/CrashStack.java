package io.powercut.oracle;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The stack of a crash, as gdb told it.
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

  /** Keeps its own copy. */
  public CrashStack {
    frames = List.copyOf(frames);
  }

  /** No stack, and why. */
  static CrashStack missing(String reason) {
    return new CrashStack(List.of(), Optional.empty(), "", Optional.empty(), Optional.of(reason));
  }

  /** The innermost frame. */
  public Optional<CrashFrame> top() {
    return frames.stream().findFirst();
  }
}
