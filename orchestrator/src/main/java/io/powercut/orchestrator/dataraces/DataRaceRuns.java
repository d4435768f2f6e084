// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.exit.PowercutException;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.Supervisor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Runs a program that {@code powercut cc} compiled, as often as asked for, and collects its races.
 */
public final class DataRaceRuns {
  private final List<String> command;
  private final RaceDetector detector;
  private final int runs;
  private final Duration timeLimit;

  /**
   * @param command the program and its arguments
   * @param detector what looks for races
   * @param runs from 1
   * @param timeLimit of each run
   */
  public DataRaceRuns(List<String> command, RaceDetector detector, int runs, Duration timeLimit) {
    this.command = List.copyOf(command);
    this.detector = detector;
    this.runs = runs;
    this.timeLimit = timeLimit;
  }

  /**
   * Runs it.
   *
   * @throws PowercutException if it cannot be started, or was not compiled for it
   */
  public DataRaceResult find() {
    try (Supervisor supervisor = Supervisor.start()) {
      Path file = Files.createTempFile("powercut-races", ".jsonl");
      try {
        return find(supervisor, file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DataRaceResult find(Supervisor supervisor, Path file) throws IOException {
    Symbols symbols = new Symbols();
    List<List<DataRace>> races = new ArrayList<>();
    TreeSet<String> limits = new TreeSet<>();
    List<String> failures = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      Files.deleteIfExists(file);
      CommandResult result =
          supervisor.run(
              CommandSpec.command(command)
                  .environment("POWERCUT_RACES", file.toString())
                  .environment("POWERCUT_RACE_DETECTOR", detector.toString())
                  .timeLimit(timeLimit)
                  .build());
      RaceFile read = RaceFile.read(file, symbols);
      check(result, read);
      if (!result.isSuccess()) {
        failures.add(
            "run %d: %s%s".formatted(run, result.ending().describe(), tail(result.outputTail())));
      }
      races.add(read.races());
      limits.addAll(read.limits());
    }
    return DataRaceResult.of(races, limits, failures);
  }

  private void check(CommandResult result, RaceFile read) {
    if (result.ending() instanceof Ending.NotStarted) {
      throw PowercutException.notTrustworthy(
          "%s: %s".formatted(command.get(0), result.ending().describe()));
    }
    if (!read.isWatched()) {
      throw PowercutException.notTrustworthy(
          "%s says nothing of its accesses; remedy: compile it with \"powercut cc\" or \"powercut c++\" (docs/data-races.md)"
              .formatted(command.get(0)));
    }
  }

  private static String tail(String output) {
    return output.isBlank() ? "" : "\n" + output.stripTrailing();
  }
}
