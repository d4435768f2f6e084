// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.template;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A string with placeholders: {@code {name}} is replaced, <code>{{</code> is a brace, and <code>}
 * </code> is itself.
 *
 * @param text as written in the campaign file
 */
public record TextTemplate(String text) {
  /** What a placeholder, and so a parameter, may be called. */
  public static final String NAME = "[A-Za-z][A-Za-z0-9_-]*";

  private static final Pattern TOKEN = Pattern.compile("\\{\\{|\\{(" + NAME + ")\\}|\\{");

  /**
   * Checks the braces.
   *
   * @throws IllegalArgumentException if a brace neither begins a placeholder nor is doubled, or
   *     there is a NUL character
   */
  public TextTemplate {
    requireNonNull(text, "text is null");
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "holds a NUL character, which arguments cannot; remove it");
    }
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      if (matcher.group().equals("{")) {
        throw new IllegalArgumentException(
            String.format(
                "'%s' has a brace at position %d that does not begin a placeholder; write {{ for a"
                    + " literal brace",
                text, matcher.start() + 1));
      }
    }
  }

  /** A template without placeholders that expands to this string. */
  public static TextTemplate literal(String text) {
    return new TextTemplate(text.replace("{", "{{"));
  }

  /** The names of the placeholders in it, in order. */
  public Set<String> placeholders() {
    Set<String> names = new LinkedHashSet<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }

  /**
   * The string with every placeholder replaced.
   *
   * @throws IllegalArgumentException if one has no value
   */
  public String expand(Placeholders values) {
    Matcher matcher = TOKEN.matcher(text);
    StringBuilder expanded = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      String replacement = name == null ? "{" : values.get(name);
      matcher.appendReplacement(expanded, Matcher.quoteReplacement(replacement));
    }
    return matcher.appendTail(expanded).toString();
  }

  @Override
  public String toString() {
    return text;
  }
}
