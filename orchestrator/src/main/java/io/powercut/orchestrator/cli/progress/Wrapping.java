// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Breaks lines that are wider than a terminal. */
final class Wrapping {
  /** What a title such as {@code crash states } takes: the lines after it begin below its text. */
  private static final Pattern INDENT = Pattern.compile(" *(?:[a-z][a-z ]{0,14} {2,})?");

  private static final Pattern COMMAND = Pattern.compile(" *replay: ");
  private static final int LEAST = 20;
  private static final String CONTINUED = " \\";

  private Wrapping() {}

  /**
   * The line in parts, broken at spaces; the parts after the first are indented. A word that is
   * wider than the terminal, a path for example, is left whole: it could not be copied in parts. A
   * command is broken as a shell wants it.
   *
   * @param width in columns
   */
  static List<String> of(String line, int width) {
    return of(line, width, indent(line));
  }

  /**
   * The same, with the parts after the first below a column of a table.
   *
   * @param column from 0
   */
  static List<String> of(String line, int width, int column) {
    if (line.length() <= width || width < LEAST) {
      return List.of(line);
    }
    boolean isCommand = COMMAND.matcher(line).lookingAt();
    String end = isCommand ? CONTINUED : "";
    String indent = " ".repeat(Math.min(column, width / 2));
    List<String> parts = new ArrayList<>();
    String rest = line;
    while (rest.length() > width) {
      int first = rest.length() - rest.stripLeading().length();
      int space = rest.lastIndexOf(' ', width - end.length());
      if (space <= first) {
        space = rest.indexOf(' ', first);
      }
      if (space < 0 || rest.substring(space).isBlank()) {
        break;
      }
      parts.add(rest.substring(0, space).stripTrailing() + end);
      rest = indent + rest.substring(space).stripLeading();
    }
    parts.add(rest);
    return parts;
  }

  private static int indent(String line) {
    Matcher matcher = INDENT.matcher(line);
    int found = matcher.lookingAt() ? matcher.end() : 0;
    return line.startsWith(" ") || found == 0 ? found + 2 : found;
  }
}
