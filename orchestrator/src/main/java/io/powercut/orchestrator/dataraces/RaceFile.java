// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.powercut.orchestrator.dataraces.Symbols.Place;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.DataRace.Access;
import io.powercut.report.evidence.DataRace.HeldLock;
import io.powercut.report.evidence.DataRace.Thing;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the lines that the runtime wrote in one run. A process that died may have left half a line.
 */
final class RaceFile {
  private final Symbols symbols;
  private final List<JsonNode> races = new ArrayList<>();
  private final List<String> limits = new ArrayList<>();
  private final Map<String, Path> modules = new HashMap<>();
  private boolean watched;
  private Optional<String> unavailable = Optional.empty();

  private RaceFile(Symbols symbols) {
    this.symbols = symbols;
  }

  /** Reads a file; one that does not exist is empty. */
  static RaceFile read(Path file, Symbols symbols) throws IOException {
    RaceFile read = new RaceFile(symbols);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        read.add(line);
      }
    }
    List<Place> places = new ArrayList<>();
    read.races.forEach(race -> read.collect(race, process(race), places));
    symbols.load(places);
    return read;
  }

  private void add(String text) {
    JsonNode line;
    try {
      line = Json.parse(text, JsonNode.class);
    } catch (JsonProcessingException e) {
      return;
    }
    switch (line.path("line").asText()) {
      case "process" -> watched = true;
      case "module" ->
          modules.put(
              process(line) + line.path("module").asInt(), Path.of(line.path("path").asText()));
      case "race" -> races.add(line);
      case "unavailable" -> unavailable = Optional.of(line.path("text").asText());
      case "limit" -> limits.add(line.path("text").asText());
      default -> {} // of a later version
    }
  }

  private static String process(JsonNode line) {
    return line.path("pid").asInt() + " ";
  }

  /** Whether the program was compiled for it. */
  boolean isWatched() {
    return watched;
  }

  /** Why the backend that was asked for could not watch it. */
  Optional<String> unavailable() {
    return unavailable;
  }

  /** What was not seen, in sentences. */
  List<String> limits() {
    return limits;
  }

  List<DataRace> races() {
    return races.stream().map(this::race).toList();
  }

  private void collect(JsonNode node, String process, List<Place> places) {
    if (isPlace(node)) {
      place(node, process).ifPresent(places::add);
    } else {
      node.forEach(child -> collect(child, process, places));
    }
  }

  private static boolean isPlace(JsonNode node) {
    return node.isArray() && node.size() == 2 && node.get(0).isInt() && node.get(1).isNumber();
  }

  private Optional<Place> place(JsonNode node, String process) {
    return Optional.ofNullable(modules.get(process + node.get(0).asInt()))
        .map(module -> new Place(module, node.get(1).asLong()));
  }

  private DataRace race(JsonNode line) {
    String process = process(line);
    return new DataRace(
        List.of(line.path("detector").asText()),
        !line.path("unconfirmed").asBoolean(),
        line.path("size").asInt(),
        Optional.of(line.path("memory").asText()).filter(value -> !value.isEmpty()),
        thing(line.path("object"), process),
        access(line.path("first"), process),
        access(line.path("second"), process),
        1,
        1);
  }

  private Access access(JsonNode node, String process) {
    List<HeldLock> locks = new ArrayList<>();
    for (JsonNode lock : node.path("locks")) {
      locks.add(
          new HeldLock(
              lock.path("mode").asText().equals("shared"),
              thing(lock.path("object"), process),
              stack(lock.path("stack"), process)));
    }
    return new Access(
        (node.path("atomic").asBoolean() ? "atomic " : "") + node.path("kind").asText(),
        node.path("size").asInt(),
        node.path("thread").asInt(),
        stack(node.path("created"), process),
        stack(node.path("stack"), process),
        locks);
  }

  private Thing thing(JsonNode node, String process) {
    return switch (node.path("kind").asText()) {
      case "heap" ->
          new Thing(
              "byte %d of a block of %d bytes that thread %d allocated"
                  .formatted(
                      node.path("offset").asLong(),
                      node.path("size").asLong(),
                      node.path("thread").asInt()),
              stack(node.path("stack"), process));
      case "global" -> new Thing(global(node.path("place"), process), List.of());
      case "stack" -> new Thing("the stack of thread " + node.path("thread").asInt(), List.of());
      case "file" ->
          new Thing(
              "byte %d of the mapped file %s"
                  .formatted(
                      node.path("offset").asLong(),
                      Path.of(node.path("path").asText()).getFileName()),
              List.of());
      default -> new Thing("memory of unknown origin", List.of());
    };
  }

  private String global(JsonNode node, String process) {
    return place(node, process)
        .map(
            place ->
                symbols
                    .variable(place)
                    .map(name -> "global " + name)
                    .orElseGet(() -> "a global of " + place.module().getFileName()))
        .orElse("a global");
  }

  private List<StackFrame> stack(JsonNode node, String process) {
    List<StackFrame> frames = new ArrayList<>();
    node.forEach(
        frame -> place(frame, process).ifPresent(place -> frames.addAll(symbols.frames(place))));
    return UserFrames.withoutCallers(frames);
  }
}
