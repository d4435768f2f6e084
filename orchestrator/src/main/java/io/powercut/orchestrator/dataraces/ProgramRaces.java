// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.exit.PowercutException;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Supervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The data races of a program without a campaign. */
public final class ProgramRaces {
  private final List<String> command;
  private final DataRaceDetection detection;
  private final int runs;
  private final Duration timeLimit;

  /**
   * @param command the program and its arguments
   * @param detection what looks for races
   * @param runs from 1
   * @param timeLimit of each run
   */
  public ProgramRaces(
      List<String> command, DataRaceDetection detection, int runs, Duration timeLimit) {
    this.command = List.copyOf(command);
    this.detection = detection;
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
      return new DataRaceRuns(environment -> run(supervisor, environment), detection, runs).find();
    } catch (PowercutException e) {
      throw PowercutException.notTrustworthy("%s: %s".formatted(command.get(0), e.getMessage()));
    }
  }

  private DataRaceRuns.Outcome run(Supervisor supervisor, Map<String, String> environment) {
    CommandResult result =
        supervisor.run(
            CommandSpec.command(
                    WatchedCommand.of(command, Path.of(""), detection.backend(), List.of()))
                .environment(environment)
                .timeLimit(timeLimit)
                .build());
    return new DataRaceRuns.Outcome(
        result, result.isSuccess() ? Optional.empty() : Optional.of(result.ending().describe()));
  }
}
