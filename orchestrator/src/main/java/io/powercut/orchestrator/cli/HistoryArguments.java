// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.report.history.History;
import io.powercut.report.rundir.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where runs and their history are, as several commands take it. */
final class HistoryArguments {
  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description = "The folder in which runs are kept. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "The history, an SQLite file. Default: history.db in the folder of --runs")
  private Optional<Path> history = Optional.empty();

  /** The folder of all runs. */
  Path runs() {
    return runs;
  }

  /** The history's file. */
  Path history() {
    return history.orElseGet(() -> runs.resolve(History.DEFAULT_NAME));
  }
}
