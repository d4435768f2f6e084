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

  private static final Pattern UNQUOTED =
      Pattern.compile("\\{[A-Za-z][\\w.-]*\\}(?<more>[^\\s,\\]}\"'#]+)");

  private YamlFailures() {}

  static YamlSyntaxException explain(JsonProcessingException failure, String text, Origin start) {
    if (failure.getCause() instanceof MarkedYAMLException marked) {
      return unquoted(marked, text, start)
          .or(() -> shellLine(marked, text, start))
          .orElseGet(() -> explain(marked, start));
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

  private static YamlSyntaxException explain(MarkedYAMLException failure, Origin start) {
    Mark mark = failure.getProblemMark();
    Origin origin = mark == null ? start : start.at(mark.getLine() + 1, mark.getColumn() + 1);
    String context = failure.getContext() == null ? "" : " (" + failure.getContext() + ")";
    return exception(origin, failure.getProblem() + context);
  }

  private static YamlSyntaxException explain(ReaderException failure, String text, Origin start) {
    int position = Math.min(Math.max(failure.getPosition(), 0), text.length());
    String before = text.substring(0, position);
    int line = (int) before.chars().filter(character -> character == '\n').count() + 1;
    int column = position - before.lastIndexOf('\n');
    String character = String.format("U+%04X", failure.getCodePoint());
    return exception(
        start.at(line, column),
        "the character " + character + " is not allowed; write it as an escape in double quotes");
  }

  private static YamlSyntaxException exception(Origin origin, String message) {
    String line = message.replaceAll("\\s+", " ").strip();
    return new YamlSyntaxException(origin, "is not valid YAML: " + line);
  }
}
