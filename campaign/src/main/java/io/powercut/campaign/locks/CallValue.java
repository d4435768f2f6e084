// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.locks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of a call: what identifies a lock that the function acquires or releases, or the address
 * of memory that it allocates. Written as {@code argument 1}, {@code argument 1 + 8}, {@code
 * argument 1 + 64 * argument 2}, {@code value at argument 1 + 8}, {@code result}, or {@code number
 * 1}.
 *
 * @param text as it was written
 */
public record CallValue(String text) {
  /** How one is written. */
  public static final String REMEDY =
      "write for example 'argument 1', 'argument 1 + 8', 'value at argument 1', 'result' or 'number 1'";

  private static final String BASE = "argument [1-6]|result";

  private static final Pattern NUMBER = Pattern.compile("number ([1-9][0-9]{0,3})");

  private static final Pattern PLACE =
      Pattern.compile(
          "(?<value>value at )?(?<base>"
              + BASE
              + ")( \\+ ((?<scale>[1-9][0-9]{0,8}) \\* )?(?<index>"
              + BASE
              + "))?( (?<sign>[+-]) (?<offset>[0-9]{1,9}))?");

  /**
   * Checks how it is written.
   *
   * @throws IllegalArgumentException if it means nothing
   */
  public CallValue {
    text = text.strip().replaceAll("\\s+", " ");
    if (!PLACE.matcher(text).matches() && !NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("'%s' is no value of a call; %s".formatted(text, REMEDY));
    }
  }

  /** Whether it is known only when the function returns. */
  public boolean needsResult() {
    return text.contains("result");
  }

  /** As the recorder reads it. */
  public String declaration() {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      return "+" + number.group(1);
    }
    Matcher place = PLACE.matcher(text);
    if (!place.matches()) {
      throw new IllegalStateException(text);
    }
    StringBuilder declaration = new StringBuilder();
    declaration.append(place.group("value") == null ? "" : "*").append(base(place.group("base")));
    if (place.group("index") != null) {
      String scale = place.group("scale") == null ? "1" : place.group("scale");
      declaration.append('+').append(scale).append('*').append(base(place.group("index")));
    }
    if (place.group("offset") != null) {
      declaration
          .append(place.group("sign").equals("-") ? "+-" : "+")
          .append(place.group("offset"));
    }
    return declaration.toString();
  }

  private static String base(String words) {
    return words.equals("result") ? "r" : words.substring(words.length() - 1);
  }

  @Override
  public String toString() {
    return text;
  }
}
