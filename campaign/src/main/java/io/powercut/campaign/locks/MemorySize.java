// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.locks;

import io.powercut.process.DataSize;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory a call allocates. Written as {@code argument 2}, {@code argument 1 * argument 2},
 * or a size such as {@code 64B}.
 *
 * @param text as it was written
 */
public record MemorySize(String text) {
  /** How one is written. */
  public static final String REMEDY =
      "write for example 'argument 1', 'argument 1 * argument 2', or 64B";

  private static final Pattern ARGUMENTS =
      Pattern.compile("argument ([1-6])(?: \\* argument ([1-6]))?");

  private static final Pattern SIZE = Pattern.compile("[1-9][0-9]{0,8} ?([KMG]i)?B");

  /**
   * Checks how it is written.
   *
   * @throws IllegalArgumentException if it means nothing
   */
  public MemorySize {
    text = text.strip().replaceAll("\\s+", " ");
    if (!ARGUMENTS.matcher(text).matches() && !SIZE.matcher(text).matches()) {
      throw new IllegalArgumentException("'%s' is no size; %s".formatted(text, REMEDY));
    }
  }

  /** As the recorder reads it. */
  public String declaration() {
    Matcher arguments = ARGUMENTS.matcher(text);
    if (!arguments.matches()) {
      return "+" + DataSize.parse(text).bytes();
    }
    String second = arguments.group(2);
    return arguments.group(1) + (second == null ? "" : "x" + second);
  }

  @Override
  public String toString() {
    return text;
  }
}
