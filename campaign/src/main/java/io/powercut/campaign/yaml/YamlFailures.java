// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * What the YAML parser's exceptions say, in one line and at the right place: Jackson's own location
 * is that of the last good token.
 */
final class YamlFailures {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[A-Za-z][\\w.-]*\\}");

  /** A key that begins a line further to the right than another one may. */
  private static final Pattern KEY = Pattern.compile("\\s+[\\w.-]+");

  private static final char NO_BREAK_SPACE = '\u00a0';

  private static final Pattern UNQUOTED =
      Pattern.compile("\\{[A-Za-z][\\w.-]*\\}(?<more>[^\\s,\\]}\"'#]+)");

  private YamlFailures() {}

  static YamlSyntaxException explain(JsonProcessingException failure, String text, Origin start) {
    if (failure.getCause() instanceof MarkedYAMLException marked) {
      return unquoted(marked, text, start)
          .or(() -> shellLine(marked, text, start))
          .orElseGet(() -> explain(marked, text, start));
    }
    if (failure.getCause() instanceof ReaderException unreadable) {
      return explain(unreadable, text, start);
    }
    if (failure instanceof StreamConstraintsException) {
      return exception(start, "it is nested too deeply");
    }
    JsonLocation location = failure.getLocation();
    Origin origin =
        location == null ? start : start.at(location.getLineNr(), location.getColumnNr());
    return exception(origin, failure.getOriginalMessage());
  }

  /** A placeholder with something behind it, for YAML the end of a map and then too much. */
  private static Optional<YamlSyntaxException> unquoted(
      MarkedYAMLException failure, String text, Origin start) {
    Mark mark = failure.getProblemMark();
    String line = line(mark, text);
    Matcher matcher = UNQUOTED.matcher(line);
    while (matcher.find()) {
      if (mark != null && matcher.start("more") == mark.getColumn()) {
        return Optional.of(
            exception(
                start.at(mark.getLine() + 1, matcher.start() + 1),
                "write \"%s\" with the quotes: without them, YAML takes { for the beginning of a map"
                    .formatted(matcher.group())));
      }
    }
    return Optional.empty();
  }

  /** A placeholder behind other words, inside of braces: for YAML the beginning of another map. */
  private static Optional<YamlSyntaxException> shellLine(
      MarkedYAMLException failure, String text, Origin start) {
    Mark mark = failure.getProblemMark();
    String line = line(mark, text);
    Matcher matcher = PLACEHOLDER.matcher(line);
    if (mark == null
        || mark.getColumn() > line.length()
        || !matcher.region(mark.getColumn(), line.length()).lookingAt()) {
      return Optional.empty();
    }
    return Optional.of(
        exception(
            start.at(mark.getLine() + 1, mark.getColumn() + 1),
            "YAML takes { for the beginning of a map; write a command as a list, with quotes around"
                + " what has braces: [./app, run, \"%s/pool\"]".formatted(matcher.group())));
  }

  private static String line(@Nullable Mark mark, String text) {
    return mark == null ? "" : text.lines().skip(mark.getLine()).findFirst().orElse("");
  }

  private static YamlSyntaxException explain(
      MarkedYAMLException failure, String text, Origin start) {
    Mark mark = failure.getProblemMark();
    String problem = String.valueOf(failure.getProblem());
    String context = Optional.ofNullable(failure.getContext()).orElse("");
    boolean isInQuotes = context.contains("quoted scalar") && problem.contains("end of stream");
    Origin origin = origin(isInQuotes ? failure.getContextMark() : mark, start);
    if (isInQuotes) {
      return exception(origin, "the quote that begins here has no end");
    }
    return exception(
        origin,
        inWords(problem, context, beginning(mark, text))
            .or(() -> unclosed(failure))
            .map(words -> words + foreignSpace(line(mark, text)))
            .orElse(problem + (context.isEmpty() ? "" : " (" + context + ")")));
  }

  private static String beginning(@Nullable Mark mark, String text) {
    String line = line(mark, text);
    return mark == null ? "" : line.substring(0, Math.min(mark.getColumn(), line.length()));
  }

  private static Origin origin(@Nullable Mark mark, Origin start) {
    return mark == null ? start : start.at(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** What people do wrong; the parser speaks of its tokens. */
  private static Optional<String> inWords(String problem, String context, String before) {
    if (problem.contains("(TAB)")) {
      return Optional.of("a tab stands here; write spaces instead");
    }
    if (problem.startsWith("mapping values are not allowed") && !KEY.matcher(before).matches()) {
      return Optional.of(
          "a colon with a space stands within a value; write the value in quotes, or begin a line");
    }
    if (problem.startsWith("expected the node content")) {
      return Optional.of("a value or a closing bracket is missing here");
    }
    boolean isIndented =
        problem.startsWith("mapping values are not allowed")
            || problem.startsWith("expected '<document start>'")
            || (problem.startsWith("expected <block end>") && context.contains("block mapping"));
    return isIndented
        ? Optional.of(
            "this line is not indented as its neighbours; keys of one map begin in one column")
        : Optional.empty();
  }

  /** A list or a map in brackets, which may have begun lines before. */
  private static Optional<String> unclosed(MarkedYAMLException failure) {
    Mark begin = failure.getContextMark();
    String context = String.valueOf(failure.getContext());
    return begin != null && context.matches(".*parsing a flow (sequence|mapping).*")
        ? Optional.of(
            "%s begins on line %d, column %d, and goes on with a comma or ends with %s"
                .formatted(
                    context.contains("sequence") ? "the list" : "the map",
                    begin.getLine() + 1,
                    begin.getColumn() + 1,
                    context.contains("sequence") ? "]" : "}"))
        : Optional.empty();
  }

  /** Editors and web pages put them where a space should be. */
  private static String foreignSpace(String line) {
    return line.indexOf(NO_BREAK_SPACE) < 0
        ? ""
        : "; the line has a no-break space (U+00A0), which is no space here";
  }

  private static YamlSyntaxException explain(ReaderException failure, String text, Origin start) {
    int position = Math.min(Math.max(failure.getPosition(), 0), text.length());
    String before = text.substring(0, position);
    int line = (int) before.chars().filter(character -> character == '\n').count() + 1;
    int column = position - before.lastIndexOf('\n');
    String character = String.format("U+%04X", failure.getCodePoint());
    return exception(
        start.at(line, column),
        "the character "
            + character
            + " is not allowed; "
            + (failure.getCodePoint() == 0
                ? "save the file as UTF-8"
                : "write it as an escape in double quotes"));
  }

  private static YamlSyntaxException exception(Origin origin, String message) {
    String line = message.replaceAll("\\s+", " ").strip();
    return new YamlSyntaxException(origin, "is not valid YAML: " + line);
  }
}
