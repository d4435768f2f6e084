// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a source that a comment names, {@code AT name}. A source is read once. */
final class MarkedLines {
  private static final Pattern PLACE = Pattern.compile("(?:/\\*|# ).*?(?<![-\\w])AT ([-\\w]+)");

  private static final Map<Path, List<String>> LINES = new ConcurrentHashMap<>();
  private static final Map<Path, Map<Integer, String>> PLACES = new ConcurrentHashMap<>();

  private MarkedLines() {}

  /** Their names, by line. */
  static Map<Integer, String> of(Path source) {
    return PLACES.computeIfAbsent(source, MarkedLines::find);
  }

  private static Map<Integer, String> find(Path source) {
    List<String> lines = linesOf(source);
    Map<Integer, String> places = new HashMap<>();
    for (int index = 0; index < lines.size(); index++) {
      Matcher matcher = PLACE.matcher(lines.get(index));
      if (matcher.find()) {
        if (places.containsValue(matcher.group(1))) {
          throw new IllegalStateException("two lines of " + source + " are AT " + matcher.group(1));
        }
        places.put(index + 1, matcher.group(1));
      }
    }
    return Map.copyOf(places);
  }

  /** All lines of a source. */
  static List<String> linesOf(Path source) {
    return LINES.computeIfAbsent(source, MarkedLines::read);
  }

  private static List<String> read(Path source) {
    try {
      return List.copyOf(Files.readAllLines(source));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
