// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.image.PmArea;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.untested.UntestedFunctions;
import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.report.facts.Untested;
import io.powercut.trace.replay.ExecutedCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Looks for what a clean result of an execution says nothing about. */
public final class UntestedSearch {
  private static final Duration TIME = Duration.ofSeconds(30);
  private static final DataSize MOST_OUTPUT = DataSize.ofMebibytes(128);

  private final PmArea area;
  private final Supervisors supervisors;

  public UntestedSearch(PmArea area, Supervisors supervisors) {
    this.area = area;
    this.supervisors = supervisors;
  }

  /**
   * The functions that persist something and were not tested.
   *
   * @return nothing if that cannot be told
   */
  public Optional<Untested> of(Execution execution) {
    try (ExecutionDirectories places = ExecutionDirectories.in(area)) {
      Optional<ExecutedCode> executed = ExecutedCode.read(execution.trace());
      Path scratch = places.scratch();
      return executed.isEmpty()
          ? Optional.empty()
          : new UntestedFunctions(executed.get(), scratch, command -> run(command, scratch)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<Path> run(List<String> arguments, Path scratch) {
    Path output = scratch.resolve("output");
    CommandSpec command =
        CommandSpec.command(arguments)
            .workingDirectory(scratch)
            .timeLimit(TIME)
            .outputFile(output)
            .outputLimit(MOST_OUTPUT)
            .build();
    try (Supervisors.Loan loan = supervisors.borrow()) {
      CommandResult result = loan.supervisor().run(command);
      boolean isWhole = result.isSuccess() && result.outputBytes() == Files.size(output);
      return isWhole ? Optional.of(output) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
