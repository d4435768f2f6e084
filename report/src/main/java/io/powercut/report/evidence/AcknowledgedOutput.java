// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import java.util.List;
import java.util.Optional;

/**
 * What the target had acknowledged before the power was cut.
 *
 * @param bytes how much
 * @param lines how many whole lines
 * @param lastLine the last line, whole or not; its end when it is long; empty when nothing was
 *     acknowledged
 * @param tooEarly what of it may have come too early; nothing if that is not known, and in older
 *     runs
 */
public record AcknowledgedOutput(
    long bytes, long lines, String lastLine, Optional<EarlyOutput> tooEarly) {
  /** Earlier versions did not write what came too early. */
  @SuppressWarnings("NullAway") // as old files are read
  public AcknowledgedOutput {
    tooEarly = tooEarly == null ? Optional.empty() : tooEarly;
  }

  /** One of which it is not known whether it came too early. */
  public AcknowledgedOutput(long bytes, long lines, String lastLine) {
    this(bytes, lines, lastLine, Optional.empty());
  }

  /** The same with what came too early. */
  AcknowledgedOutput with(EarlyOutput early) {
    return new AcknowledgedOutput(bytes, lines, lastLine, Optional.of(early));
  }

  /** Such as {@code 17 lines, the last is "17 put 42"}. */
  public String inWords() {
    if (bytes == 0) {
      return "nothing";
    }
    String size = lines == 0 ? bytes + " bytes" : lines == 1 ? "1 line" : lines + " lines";
    return size + (lines == 1 ? ": \"" : ", the last is \"") + lastLine + "\"";
  }

  /**
   * An output that may have come too early: where recovery failed, it succeeds without this output
   * and those after it.
   *
   * @param line its last line, whole or not; its end when it is long
   * @param stack who wrote it, innermost first; empty if that is not known
   * @param proved whether it did come too early: right before it recovery succeeds, and right after
   *     it recovery fails
   */
  public record EarlyOutput(String line, List<StackFrame> stack, boolean proved) {
    /** Copies the list. */
    public EarlyOutput {
      stack = List.copyOf(stack);
    }

    /**
     * In words, and where.
     *
     * @param when it is acknowledged
     */
    String inWords(String when) {
      return "\"%s\" is acknowledged %s".formatted(line, when)
          + TargetStack.place(stack).map(", at "::concat).orElse("");
    }
  }
}
