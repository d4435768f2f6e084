// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.recording.RecordedPart;
import io.powercut.orchestrator.recording.StoredRecording;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.orchestrator.run.ShardMerge;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut merge}. */
@Command(
    name = "merge",
    mixinStandardHelpOptions = true,
    description = {
      "Merges the parts of a campaign that were run with --shard, on one or more machines. The result is"
          + " that of a run without --shard.",
      "",
      "  powercut run my-program.yaml --shard 1/2 --runs first     on one machine,",
      "  powercut run my-program.yaml --shard 2/2 --runs second    on another, then",
      "  powercut merge first/my-program/latest second/my-program/latest",
      "",
      "The exit code is that of a whole run; it is 4 if a part is missing (docs/shards.md)."
    })
final class MergeCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "The run directories of the parts, in any order.")
  private List<Path> parts = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description = "The folder for the merged run. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Option(
      names = "--recording",
      paramLabel = "DIR",
      description =
          "The recording whose parts these are (powercut judge). What is done once is done now: patterns,"
              + " races, crashes during recovery.")
  private Optional<Path> recording = Optional.empty();

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    Optional<StoredRecording> stored = recording.map(StoredRecording::open);
    RunDirectory merged =
        ShardMerge.merge(
            parts.stream().map(RunDirectory::open).toList(),
            runs,
            LocalDateTime.now(ZoneId.systemDefault()));
    stored.ifPresent(
        one ->
            CampaignRun.of(
                    RecordedPart.last(one, merged.facts().missingParts()),
                    merged,
                    output.progress())
                .run());
    return ReportCommand.write(merged);
  }
}
