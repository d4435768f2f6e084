// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.tree.UserCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

  /** A frame as the rules of user code see it. */
  private record Seen(CrashFrame frame) implements UserCode.Function {
    @Override
    public String function() {
      return frame.function().equals(CrashFrame.NO_NAME) ? "" : frame.function();
    }

    @Override
    public String file() {
      return frame.file().orElse("");
    }

    @Override
    public int line() {
      return frame.line().orElse(0);
    }

    @Override
    public String module() {
      return frame.moduleName();
    }

    @Override
    public String address() {
      return frame.offset().isPresent() ? module() + "+" + frame.offset().getAsLong() : "";
    }
  }

  /** Keeps its own copy. */
  public CrashStack {
    frames = List.copyOf(frames);
  }

  /** No stack, and why. */
  static CrashStack missing(String reason) {
    return new CrashStack(List.of(), Optional.empty(), "", Optional.empty(), Optional.of(reason));
  }

  /**
   * Where the code to look at is: the innermost frame that is the user's. The innermost frame with
   * a source, or at all, if there is none.
   */
  public Optional<CrashFrame> place() {
    return UserCode.of(frames.stream().map(Seen::new).toList()).map(Seen::frame);
  }

  /** The innermost frame. */
  public Optional<CrashFrame> top() {
    return frames.stream().findFirst();
  }
}
