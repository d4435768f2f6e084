// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.recording.StoredRecording;
import io.powercut.orchestrator.run.RecordRun;
import io.powercut.report.format.Text;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code powercut record}. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a campaign's target once, with its controls, and keeps what is needed to judge its crash images"
          + " elsewhere: on several machines, without running the target again.",
      "",
      "  powercut record my-program.yaml --to recording      on one machine, then",
      "  powercut judge recording --shard 1/2 --into part-1  on it or others,",
      "  powercut judge recording --shard 2/2 --into part-2",
      "  powercut merge --recording recording part-1 part-2  and on one of them",
      "",
      "docs/shards.md explains it."
    })
final class RecordCommand implements Callable<Integer> {
  @Mixin private CampaignArguments campaign = new CampaignArguments();

  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The folder for the recording. It must not exist.")
  private Path to = Path.of("");

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() {
    StoredRecording recording =
        RecordRun.of(campaign.load(), campaign.file(), to, output.progress());
    if (!output.isQuiet()) {
      Screen.output()
          .print(
              "recorded  %s, in %s\n"
                  .formatted(what(recording.facts().failurePoints()), recording.path()));
    }
    return 0;
  }

  /** Where there is no failure point, it was refused unless its end can be tested. */
  private static String what(long failurePoints) {
    return failurePoints == 0
        ? "the end of the run, as no failure point was reached"
        : Text.counted(failurePoints, "failure point");
  }
}
