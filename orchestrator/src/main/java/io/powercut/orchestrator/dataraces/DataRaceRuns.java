// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.exit.PowercutException;
import io.powercut.process.CommandResult;
import io.powercut.process.Ending;
import io.powercut.report.evidence.DataRace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Runs a program that {@code powercut cc} compiled, as often as asked for, and collects its races.
 */
final class DataRaceRuns {
  /** One run of the program. */
  interface Run {
    /**
     * Runs it to its end.
     *
     * @param environment what to add to its environment
     */
    Outcome run(Map<String, String> environment);
  }

  /**
   * How a run ended.
   *
   * @param result of the program
   * @param problem why it did not do what it should; nothing if it did
   */
  record Outcome(CommandResult result, Optional<String> problem) {}

  private final Run program;
  private final DataRaceDetection detection;
  private final int runs;
  private final Symbols symbols = new Symbols();

  /**
   * @param detection what looks for races
   * @param runs from 1
   */
  DataRaceRuns(Run program, DataRaceDetection detection, int runs) {
    this.program = program;
    this.detection = detection;
    this.runs = runs;
  }

  /**
   * Runs it.
   *
   * @throws PowercutException if it cannot be started, or was not compiled for it
   */
  DataRaceResult find() {
    try {
      Path file = Files.createTempFile("powercut-races", ".jsonl");
      try {
        return find(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DataRaceResult find(Path file) throws IOException {
    List<List<DataRace>> races = new ArrayList<>();
    TreeSet<String> limits = new TreeSet<>();
    List<String> failures = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      Files.deleteIfExists(file);
      Map<String, String> environment = new HashMap<>(detection.environment(run));
      environment.put("POWERCUT_RACES", file.toString());
      Outcome outcome = program.run(environment);
      RaceFile read = RaceFile.read(file, symbols);
      check(outcome.result(), read);
      if (outcome.problem().isPresent()) {
        failures.add(
            "run %d: %s%s"
                .formatted(run, outcome.problem().get(), tail(outcome.result().outputTail())));
      }
      races.add(read.races());
      limits.addAll(read.limits());
    }
    return DataRaceResult.of(races, limits, failures);
  }

  private void check(CommandResult result, RaceFile read) {
    if (result.ending() instanceof Ending.NotStarted) {
      throw PowercutException.notTrustworthy(result.ending().describe());
    }
    if (!read.isWatched()) {
      throw PowercutException.notTrustworthy(
          "the program says nothing of its accesses; remedy: compile it with \"powercut cc\" or"
              + " \"powercut c++\", or look at it with backend recorder (docs/data-races.md)");
    }
    if (read.unavailable().isPresent()) {
      throw PowercutException.notTrustworthy(
          "backend %s: %s".formatted(detection.backend(), read.unavailable().get()));
    }
  }

  private static String tail(String output) {
    return output.isBlank() ? "" : "\n" + output.stripTrailing();
  }
}
