// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.template;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression in the syntax of {@link Pattern}, searched for anywhere in an output; {@code
 * ^} and {@code $} match at each line. Braces in it are its own: placeholders are not replaced.
 */
public record Regex(String text) {
  /**
   * Checks the syntax.
   *
   * @throws IllegalArgumentException if it is not a regular expression
   */
  public Regex {
    requireNonNull(text, "text is null");
    try {
      Pattern unused = Pattern.compile(text, Pattern.MULTILINE);
    } catch (PatternSyntaxException failure) {
      throw new IllegalArgumentException(
          String.format(
              "'%s' is not a regular expression: %s at position %d",
              text, failure.getDescription(), failure.getIndex() + 1));
    } catch (StackOverflowError tooDeep) {
      throw new IllegalArgumentException("is nested too deeply for a regular expression");
    }
  }

  /** The compiled expression. */
  public Pattern pattern() {
    return Pattern.compile(text, Pattern.MULTILINE);
  }

  /** True if it is found anywhere in the output. */
  public boolean isFoundIn(CharSequence output) {
    return pattern().matcher(output).find();
  }

  @Override
  public String toString() {
    return text;
  }
}
