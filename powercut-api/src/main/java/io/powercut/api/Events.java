// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What {@code powercut run --json} prints, line by line. Events that it does not know it skips. */
final class Events {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<Finding> findings = new ArrayList<>();
  private Optional<String> meaning = Optional.empty();
  private Optional<Path> report = Optional.empty();

  void read(String line) {
    JsonNode event;
    try {
      event = MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      return; // What a command of the campaign printed, perhaps.
    }
    switch (event.path("event").asText()) {
      case "finding" -> findings.add(finding(event));
      case "result" -> {
        meaning =
            Optional.of(
                event.path("meaning").asText()
                    + text(event, "reason").map(": "::concat).orElse(""));
        report = text(event, "report").map(file -> Path.of(file).toAbsolutePath().getParent());
      }
      case "error" -> meaning = text(event, "message");
      default -> {
        // Progress.
      }
    }
  }

  private static Finding finding(JsonNode event) {
    return new Finding(
        event.path("severity").asText(),
        event.path("kind").asText(),
        event.path("fingerprint").asText(),
        event.path("title").asText(),
        event.path("place").asText(),
        event.path("accepted").asBoolean(),
        text(event, "replay"));
  }

  private static Optional<String> text(JsonNode event, String key) {
    return Optional.of(event.path(key))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .filter(text -> !text.isEmpty());
  }

  /**
   * How the run ended.
   *
   * @param message what it said on standard error, for one that ended without an event
   */
  Outcome outcome(int exitCode, String message) {
    return new Outcome(exitCode, meaning.orElse(message), findings, report);
  }
}
