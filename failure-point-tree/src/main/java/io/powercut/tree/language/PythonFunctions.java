// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the functions of a name in a source file of Python, where indentation says what belongs to
 * them. Safe for use by several threads.
 */
public final class PythonFunctions {
  private static final Pattern DEFINITION =
      Pattern.compile(
          "(?:async\\s+)?def\\s+(?<name>\\w+)\\s*\\((?<parameters>.*?)\\)\\s*(?:->[^:]*)?:(?<body>.*)",
          Pattern.DOTALL);

  private static final Pattern PARAMETER =
      Pattern.compile("\\s*\\**\\s*(?<name>\\w+).*", Pattern.DOTALL);

  /** Before the quotation mark of a text. */
  private static final String PREFIXES = "bBrRfFuU";

  /** Of one that is formatted. */
  private static final Pattern VALUE_IN_TEXT =
      Pattern.compile("(?<!\\{)\\{(?!\\{)\\s*([\\w.\\[\\]()+-]+)");

  private static final int TAB = 8;

  /** Of a file, by its path. */
  private static final LoadingCache<String, List<Line>> LINES =
      CacheBuilder.newBuilder()
          .maximumSize(256)
          .build(CacheLoader.from(file -> lines(SourceText.of(file))));

  /** Sources of other languages have an extension. */
  private static final Pattern NAMED = Pattern.compile(".*\\.[^./]+", Pattern.DOTALL);

  /** A script may have any name, and then says in its first line what runs it. */
  private static final Pattern SCRIPT =
      Pattern.compile(
          "#!\\s*\\S*(?:[ \\t]+\\S+)*?[/ \\t]python[\\d.]*[ \\t]*\\R.*", Pattern.DOTALL);

  private static final LoadingCache<String, Boolean> SCRIPTS =
      CacheBuilder.newBuilder()
          .maximumSize(4096)
          .build(CacheLoader.from(file -> SCRIPT.matcher(SourceText.of(file)).matches()));

  /**
   * A statement, or a head of several.
   *
   * @param number of the line where it begins, from 1
   * @param last of the line where it ends
   * @param indent how far it is indented
   * @param text without comments; a text in it is 0
   */
  private record Line(int number, int last, int indent, String text) {}

  /**
   * A function.
   *
   * @param first its first line
   * @param last its last line
   * @param lines its statements
   * @param parameters names of what it is given
   */
  public record Function(int first, int last, List<String> lines, Set<String> parameters) {
    /**
     * Whether it only writes what it is given.
     *
     * @param maySync whether it may persist that as well
     */
    public boolean isWriteOfGiven(Predicate<String> others, boolean maySync) {
      return new PythonBody(lines, parameters, others, maySync).isWriteOfGiven();
    }

    /** Whether a line is one of its own. */
    public boolean has(int line) {
      return line >= first && line <= last;
    }
  }

  private PythonFunctions() {}

  /** Whether a file is in Python. */
  public static boolean areIn(String file) {
    return file.endsWith(".py")
        || (!file.isEmpty() && !NAMED.matcher(file).matches() && SCRIPTS.getUnchecked(file));
  }

  /**
   * The functions and methods of a name.
   *
   * @param file nothing is in one that is not there
   * @param whole with its class or without, {@code Store.append}
   */
  public static List<Function> of(String file, String whole) {
    String name = whole.substring(whole.lastIndexOf('.') + 1);
    List<Line> all = file.isEmpty() ? List.of() : LINES.getUnchecked(file);
    List<Function> found = new ArrayList<>();
    for (int at = 0; at < all.size(); at++) {
      Matcher definition = DEFINITION.matcher(all.get(at).text());
      if (definition.matches() && definition.group("name").equals(name)) {
        found.add(function(all, at, definition));
      }
    }
    return found;
  }

  private static Function function(List<Line> all, int at, Matcher definition) {
    Line head = all.get(at);
    List<String> body = new ArrayList<>();
    String sameLine = definition.group("body").strip();
    if (!sameLine.isEmpty()) {
      body.add(sameLine);
    }
    int last = head.last();
    for (int next = at + 1; next < all.size() && all.get(next).indent() > head.indent(); next++) {
      body.add(all.get(next).text());
      last = all.get(next).last();
    }
    return new Function(head.number(), last, body, names(definition.group("parameters")));
  }

  private static Set<String> names(String parameters) {
    Set<String> names = new HashSet<>();
    for (String parameter : Splitter.on(',').split(parameters)) {
      Matcher named = PARAMETER.matcher(parameter);
      if (named.matches()) {
        names.add(named.group("name"));
      }
    }
    return names;
  }

  /** Lines that are one statement are one. */
  private static List<Line> lines(String source) {
    return new Reader(source).read();
  }

  /** Reads a source once. */
  private static final class Reader {
    private final String source;
    private final List<Line> lines = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int at;
    private int number = 1;
    private int begin = 1;
    private int depth;

    Reader(String source) {
      this.source = source;
    }

    List<Line> read() {
      while (at < source.length()) {
        char here = source.charAt(at);
        if (here == '#') {
          skipComment();
        } else if (here == '"' || here == '\'') {
          skipText(here);
        } else if (here == '\\' && source.startsWith("\n", at + 1)) {
          at += 2;
          number++;
        } else if (here == '\n') {
          endLine();
        } else {
          depth += "([{".indexOf(here) >= 0 ? 1 : ")]}".indexOf(here) >= 0 ? -1 : 0;
          text.append(here);
          at++;
        }
      }
      endLine();
      return List.copyOf(lines);
    }

    private void endLine() {
      if (depth > 0 && at < source.length()) {
        text.append(' ');
      } else {
        String line = text.toString();
        if (!line.isBlank()) {
          lines.add(new Line(begin, number, indent(line), line.strip()));
        }
        text.setLength(0);
        begin = number + 1;
        depth = 0;
      }
      number++;
      at++;
    }

    private static int indent(String line) {
      int indent = 0;
      for (int at = 0; at < line.length() && line.charAt(at) <= ' '; at++) {
        indent = line.charAt(at) == '\t' ? (indent / TAB + 1) * TAB : indent + 1;
      }
      return indent;
    }

    private void skipComment() {
      while (at < source.length() && source.charAt(at) != '\n') {
        at++;
      }
    }

    private void skipText(char quote) {
      int begins = text.length();
      int prefix = begins;
      while (prefix > 0 && PREFIXES.indexOf(text.charAt(prefix - 1)) >= 0) {
        prefix--;
      }
      if (prefix == 0 || !Character.isJavaIdentifierPart(text.charAt(prefix - 1))) {
        text.setLength(prefix);
      }
      boolean isFormatted =
          CharMatcher.anyOf("fF").matchesAnyOf(source.substring(at - (begins - text.length()), at));
      text.append('0');
      String threefold = String.valueOf(quote).repeat(3);
      boolean isLong = source.startsWith(threefold, at);
      String end = isLong ? threefold : String.valueOf(quote);
      at += end.length();
      int from = at;
      while (at < source.length() && !source.startsWith(end, at)) {
        if (source.charAt(at) == '\\') {
          at++;
        }
        if (at < source.length() && source.charAt(at) == '\n') {
          number++;
        }
        at++;
      }
      if (isFormatted) {
        VALUE_IN_TEXT
            .matcher(source.substring(from, Math.min(source.length(), at)))
            .results()
            .forEach(value -> text.append(" + (").append(value.group(1)).append(")"));
      }
      at = Math.min(source.length(), at + end.length());
    }
  }
}
