// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large the stack of a target's main thread may become under Valgrind. By itself Valgrind gives
 * it 16 MiB at most, whatever the limit of the process is, and a target that needs more crashes.
 */
final class MainStack {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern SOFT_LIMIT =
      Pattern.compile("^Max stack size +(unlimited|\\d+) ", Pattern.MULTILINE);

  /** What Valgrind gives without being asked, in bytes. */
  private static final long VALGRINDS_OWN = 16L << 20;

  /** Of a stack without limit: address space only, as long as it is not used. */
  private static final long MOST = 4L << 30;

  private MainStack() {}

  /** In bytes; nothing if Valgrind does not need it. */
  static Optional<Long> size() {
    try {
      return size(Files.readString(LIMITS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same.
   *
   * @param limits as in {@code /proc/PID/limits}
   */
  static Optional<Long> size(String limits) {
    Matcher found = SOFT_LIMIT.matcher(limits);
    if (!found.find()) {
      return Optional.empty();
    }
    long size =
        found.group(1).equals("unlimited") ? MOST : Math.min(MOST, Long.parseLong(found.group(1)));
    return size > VALGRINDS_OWN ? Optional.of(size) : Optional.empty();
  }
}
