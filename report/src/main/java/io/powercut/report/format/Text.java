// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Makes text of others fit to be shown, on a page or in a terminal: what a target or a recovery
 * prints may be hostile, or no text at all. Escaping for HTML is the templates' part.
 */
public final class Text {
  /** Escape sequences of terminals (ECMA-48): colours, titles of windows, all others. */
  private static final Pattern TERMINAL =
      Pattern.compile(
          "\u001b(?:\\[[0-?]*+[ -/]*+[@-~]"
              + "|\\][^\u0007\u001b]*+(?:\u0007|\u001b\\\\)"
              + "|[ -/]*+[0-~])");

  private static final Pattern LINE_ENDS = Pattern.compile("\r\n?");
  private static final char SYMBOL_OF_NUL = '\u2400';
  private static final char SYMBOL_OF_DELETE = '\u2421';
  private static final char UNKNOWN = '\ufffd';

  private Text() {}

  /** So many of something: {@code 1 bug}, {@code 2 bugs}, {@code 2 crashes}. */
  public static String counted(long count, String what) {
    return count + " " + plural(count, what);
  }

  /** The word for so many of something. */
  public static String plural(long count, String what) {
    return what + (count == 1 ? "" : what.endsWith("sh") ? "es" : "s");
  }

  /** The text with visible symbols in place of whatever is not a character to be seen. */
  public static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      if (Character.isHighSurrogate(character)
          && index + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(index + 1))) {
        clean.append(character).append(text.charAt(++index));
      } else {
        clean.append(visible(character));
      }
    }
    return clean.toString();
  }

  private static char visible(char character) {
    if (character == '\n' || character == '\t') {
      return character;
    }
    if (character < ' ') {
      return (char) (SYMBOL_OF_NUL + character);
    }
    if (character == '\u007f') {
      return SYMBOL_OF_DELETE;
    }
    boolean hidden =
        Character.isISOControl(character)
            || Character.isSurrogate(character)
            || changesDirection(character);
    return hidden ? UNKNOWN : character;
  }

  /** With these, text can be made to look like another (Boucher and Anderson, 2021). */
  private static boolean changesDirection(char character) {
    return (character >= '\u202a' && character <= '\u202e')
        || (character >= '\u2066' && character <= '\u2069');
  }

  /** What a program printed, as a terminal would show it, but without colours. */
  public static String printed(String output) {
    return clean(LINE_ENDS.matcher(TERMINAL.matcher(output).replaceAll("")).replaceAll("\n"));
  }

  /**
   * The first and the last lines of many, and how many there are in between: what went wrong is
   * often said first, before the usage of a program, or last.
   *
   * @param first how many of the first ones
   * @param last how many of the last ones
   * @return all of them, if no more than one would be left out
   */
  public static List<String> ends(List<String> lines, int first, int last) {
    int more = lines.size() - first - last;
    if (more <= 1) {
      return lines;
    }
    List<String> shown = new ArrayList<>(lines.subList(0, first));
    shown.add("... (%s left out)".formatted(counted(more, "line")));
    shown.addAll(lines.subList(lines.size() - last, lines.size()));
    return shown;
  }

  /**
   * The beginning of a text.
   *
   * @param limit the length of what is shown, in characters
   */
  public static String beginning(String text, int limit) {
    return text.length() <= limit ? text : text.substring(0, limit) + "…";
  }
}
