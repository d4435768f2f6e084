// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.locks;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What shows that a function acquired its lock. Of its result: {@code zero}, {@code nonzero} or a
 * number (an int), {@code true} or {@code false} (a bool), {@code pointer} (one that is not null),
 * {@code byte of result is zero}, and so with {@code int} and {@code long}. Of memory, after the
 * return: {@code byte at argument 2 is zero}, and so on.
 *
 * @param text as it was written
 */
public record LockTest(String text) {
  /** How one is written. */
  public static final String REMEDY =
      "write zero, nonzero, a number, true, false, pointer, or for example 'byte of result is zero' or"
          + " 'byte at argument 2 is zero'";

  private static final Map<String, String> OF_RESULT =
      Map.of("zero", "4r=0", "nonzero", "4r!0", "true", "1r!0", "false", "1r=0", "pointer", "8r!0");

  private static final Map<String, Integer> WIDTHS = Map.of("byte", 1, "int", 4, "long", 8);

  private static final String VALUE = "-?[0-9]{1,18}";

  private static final Pattern OF_WIDTH =
      Pattern.compile(
          "(?<width>byte|int|long) (?:of result|at (?<place>.+)) is (?<value>zero|nonzero|"
              + VALUE
              + ")");

  /**
   * Checks how it is written.
   *
   * @throws IllegalArgumentException if it means nothing
   */
  public LockTest {
    text = text.strip().replaceAll("\\s+", " ");
    Matcher wide = OF_WIDTH.matcher(text);
    if (wide.matches()) {
      String place = wide.group("place");
      if (place != null && place.startsWith("number ")) {
        throw new IllegalArgumentException("'%s' names no memory; %s".formatted(text, REMEDY));
      }
      if (place != null) {
        CallValue unused = new CallValue(place);
      }
    } else if (!OF_RESULT.containsKey(text) && !text.matches(VALUE)) {
      throw new IllegalArgumentException("'%s' shows no success; %s".formatted(text, REMEDY));
    }
  }

  /** As the recorder reads it. */
  public String declaration() {
    String ofResult = OF_RESULT.get(text);
    if (ofResult != null) {
      return ofResult;
    }
    Matcher wide = OF_WIDTH.matcher(text);
    if (!wide.matches()) {
      return "4r=" + text;
    }
    String value = wide.group("value");
    String place = wide.group("place");
    return WIDTHS.get(wide.group("width"))
        + (place == null ? "r" : "@" + new CallValue(place).declaration())
        + (value.equals("nonzero") ? "!0" : value.equals("zero") ? "=0" : "=" + value);
  }

  /**
   * The same of the lowest byte, if it looks at the result as an int: a function that returns one
   * byte, such as a {@code uint8_t}, leaves anything in the others.
   */
  public Optional<LockTest> ofByte() {
    return text.equals("zero") || text.equals("nonzero") || text.matches(VALUE)
        ? Optional.of(new LockTest("byte of result is " + text))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }
}
