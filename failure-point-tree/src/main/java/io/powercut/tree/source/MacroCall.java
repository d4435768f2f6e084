// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A macro that stands for the definition of a function, where it is used: {@code SETTER(int)}.
 *
 * @param text what is in its place
 * @param first its first line
 * @param last its last line
 */
record MacroCall(String text, int first, int last) {
  private static final int MOST_CALLS = 10_000;
  private static final int LONGEST_TEXT = 10_000;

  /** Of a macro with parameters. Lines of it may go on. */
  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?m)^[ \\t]*#[ \\t]*define[ \\t]+(?<name>\\w+)\\((?<parameters>[\\w\\s,.\\\\]*)\\)"
              + "(?<text>(?:[^\\n\\\\]++|\\\\\\r?\\n|\\\\)*+)$");

  /** Where a line begins with it: the definitions of functions do. */
  private static final Pattern CALL =
      Pattern.compile(
          "(?m)^[ \\t]*(?<name>\\w+)[ \\t]*\\((?<arguments>(?:[^();{}#]++|\\([^();{}]*+\\))*+)\\)");

  private static final Pattern CONTINUED = Pattern.compile("\\\\\\r?\\n");
  private static final Pattern JOINED = Pattern.compile("\\s*##\\s*");
  private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");
  private static final Pattern WORD = Pattern.compile("\\w+");

  private record Definition(List<String> parameters, String text) {
    String with(List<String> arguments) {
      Map<String, String> values = new HashMap<>();
      for (int at = 0; at < Math.min(parameters.size(), arguments.size()); at++) {
        values.put(parameters.get(at), arguments.get(at));
      }
      String filled =
          WORD.matcher(text)
              .replaceAll(
                  word ->
                      Matcher.quoteReplacement(values.getOrDefault(word.group(), word.group())));
      return JOINED.matcher(filled).replaceAll("");
    }
  }

  /**
   * All in a source file.
   *
   * @param source without comments and texts
   * @param headers the same of files that may define macros for it
   */
  static List<MacroCall> in(String source, List<String> headers) {
    Map<String, Definition> definitions = new HashMap<>();
    headers.forEach(header -> define(header, definitions));
    define(source, definitions);
    List<MacroCall> calls = new ArrayList<>();
    Matcher call = CALL.matcher(source);
    int line = 1;
    int counted = 0;
    while (!definitions.isEmpty() && calls.size() < MOST_CALLS && call.find()) {
      Definition definition = definitions.get(call.group("name"));
      if (definition != null) {
        line += lines(source, counted, call.start());
        counted = call.start();
        calls.add(
            new MacroCall(
                definition.with(split(call.group("arguments"))),
                line,
                line + lines(source, call.start(), call.end())));
      }
    }
    return calls;
  }

  /** Only those that have a block. */
  private static void define(String source, Map<String, Definition> definitions) {
    Matcher definition = DEFINITION.matcher(source);
    while (definition.find()) {
      String text = CONTINUED.matcher(definition.group("text")).replaceAll(" ");
      if (text.indexOf('{') >= 0 && text.length() < LONGEST_TEXT) {
        String parameters = CONTINUED.matcher(definition.group("parameters")).replaceAll(" ");
        definitions.put(definition.group("name"), new Definition(split(parameters), text));
      }
    }
  }

  private static List<String> split(String list) {
    return COMMA.splitAsStream(list).map(String::strip).toList();
  }

  private static int lines(String text, int from, int to) {
    return (int) text.substring(from, to).chars().filter(one -> one == '\n').count();
  }
}
