// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import static java.util.Objects.requireNonNullElse;

import com.google.common.base.Splitter;
import io.powercut.report.evidence.StackFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a line of C, C++ or Fortran assigns, such as {@code pool->slots[i].valid}, when the line is
 * one assignment or count and nothing else. Debug information has the line of a store, not its
 * variable.
 */
final class AssignedVariable {
  private static final long MOST_BYTES = 4L << 20;
  private static final int LONGEST_LINE = 300;
  private static final String SUBSCRIPT = "\\[[^\\[\\]=;]*(?:\\[[^\\[\\]=;]*\\][^\\[\\]=;]*)?\\]";
  private static final String ROOT = "(?:\\w+(?:\\([\\w&*>., -]*\\))?|\\(\\*\\w+\\))";
  private static final String VARIABLE = "%1$s(?:(?:->|\\.)\\w+|%2$s)*".formatted(ROOT, SUBSCRIPT);
  private static final String END = "\\s*;\\s*(?://.*|/\\*.*\\*/\\s*)?";
  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "\\s*(?<variable>\\**%1$s)\\s*(?:[-+|&^*/%%]|<<|>>)?=(?!=)(?<value>[^=;]*)%2$s"
              .formatted(VARIABLE, END));

  /** {@code *p++} counts the pointer, {@code ++*p} what it points to. */
  private static final Pattern COUNT =
      Pattern.compile(
          "\\s*(?:(?:\\+\\+|--)\\s*(?<counted>\\**%1$s)|(?<variable>%1$s)\\s*(?:\\+\\+|--))%2$s"
              .formatted(VARIABLE, END));

  /**
   * What stores by itself, beside what is assigned: {@code old = fetch_add(&to, 1)}. A function
   * that does has a frame of its own, unless the compiler knows it.
   */
  private static final Pattern STORING =
      Pattern.compile(
          "(?i)\\+\\+|--|(?:exchange|xchg|(?<!b)swap|(?:\\b|_)cas(?=\\b|_)|fetch_\\w+|_and_fetch|test_and_\\w+)\\w*\\s*\\("
              + "|(?:memp?cpy|memccpy|memmove|memset|st[rp]n?cpy|strn?cat)\\w*\\s*\\(");

  /** A macro may store, too, above all one whose value is kept in a variable of its own. */
  private static final Pattern MACRO = Pattern.compile("\\b[A-Z][A-Z0-9_]*\\s*\\(");

  private static final Pattern NAME = Pattern.compile("\\w+");

  private static final Pattern FORTRAN_FILE = Pattern.compile("(?i).*\\.f(?:90|95|03|08|18)");

  /** One statement of Fortran; behind {@code !} is a comment. */
  private static final Pattern FORTRAN =
      Pattern.compile(
          "\\s*(?<variable>\\w+%1$s?(?:%%\\w+%1$s?)*)\\s*=(?![=>])[^=;!'\"&]*(?:!.*)?"
              .formatted("(?:\\((?:[^()=;]|\\([^()=;]*\\))*\\))"));

  /** What the line before a statement ends with, if the statement does not begin there. */
  private static final Pattern ENDED =
      Pattern.compile("(?:.*[;{}:)]|\\s*|.*\\*/|\\s*#.*|.*//.*|.*\\belse|.*\\bdo)\\s*");

  private AssignedVariable() {}

  /**
   * The variable of the line at a frame.
   *
   * @return empty when that is not certain
   */
  static String at(StackFrame frame) {
    if (frame.file().isEmpty() || frame.line() <= 0) {
      return "";
    }
    try {
      Path file = Path.of(frame.file());
      if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
        return "";
      }
      try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
        List<String> two = lines.skip(Math.max(0, frame.line() - 2)).limit(2).toList();
        return two.isEmpty()
            ? ""
            : of(frame.file(), frame.line() > 1 ? two.get(0) : "", two.get(two.size() - 1));
      }
    } catch (IOException
        | UncheckedIOException
        | SecurityException
        | java.nio.file.InvalidPathException e) {
      return ""; // A report can do without.
    }
  }

  private static String of(String file, String before, String line) {
    return FORTRAN_FILE.matcher(file).matches() ? ofFortran(before, line) : of(before, line);
  }

  /** The variable of a line of Fortran behind another, which may go on in it. */
  static String ofFortran(String before, String line) {
    Matcher assignment = FORTRAN.matcher(line);
    boolean isWhole = line.length() <= LONGEST_LINE && !before.strip().endsWith("&");
    return isWhole && assignment.matches() ? assignment.group("variable") : "";
  }

  /** The variable of a line behind another. */
  static String of(String before, String line) {
    if (line.length() > LONGEST_LINE
        || before.length() > LONGEST_LINE
        || !ENDED.matcher(before).matches()) {
      return "";
    }
    Matcher count = COUNT.matcher(line);
    if (count.matches()) {
      return requireNonNullElse(count.group("counted"), count.group("variable"));
    }
    Matcher assignment = ASSIGNMENT.matcher(line);
    return assignment.matches() && !isDeclared(line) && isAllThatIsStored(assignment)
        ? assignment.group("variable")
        : "";
  }

  private static boolean isAllThatIsStored(Matcher assignment) {
    String value = assignment.group("value");
    return !STORING.matcher(value).find()
        && !(NAME.matcher(assignment.group("variable")).matches() && MACRO.matcher(value).find());
  }

  private static boolean isDeclared(String line) {
    return Splitter.on(' ').omitEmptyStrings().splitToList(line.strip()).get(0).equals("return");
  }
}
