package io.powercut.orchestrator.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.powercut.orchestrator.report.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of JSON values, one a line, to which is only added. Each line is written with one call:
 * after a {@code kill -9} at most the last one is incomplete, and it is left out when the file is
 * read again.
 */
final class LineLog<T> {
  private final Path file;
  private final Class<T> type;
  private final String what;

  /**
   * @param file need not exist
   * @param what a line is, for messages, such as "a verdict"
   */
  LineLog(Path file, Class<T> type, String what) {
    this.file = file;
    this.type = type;
    this.what = what;
  }

  /**
   * What the file holds; an incomplete last line is removed from it.
   *
   * @throws NotTrustworthyException if a line other than the last cannot be read
   */
  List<T> readBack() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      String text = Files.readString(file);
      List<String> lines = new ArrayList<>(text.lines().toList());
      if (!text.isEmpty() && !text.endsWith("\n")) {
        lines.remove(lines.size() - 1);
        Files.writeString(file, lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
      }
      List<T> values = new ArrayList<>();
      for (int number = 1; number <= lines.size(); number++) {
        values.add(parse(lines.get(number - 1), number));
      }
      return values;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private T parse(String line, int number) {
    try {
      return Json.parse(line, type);
    } catch (JsonProcessingException e) {
      throw new NotTrustworthyException(
          "%s:%d: not %s: %s. Remove the line, or start the campaign anew without --resume."
              .formatted(file, number, what, e.getOriginalMessage()));
    }
  }

  /** Adds a line. */
  void append(T value) {
    try {
      Files.write(
          file,
          (Json.line(value) + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
