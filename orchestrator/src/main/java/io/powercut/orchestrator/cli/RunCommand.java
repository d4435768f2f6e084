// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.api.Event;
import io.powercut.api.RunOptions;
import io.powercut.orchestrator.cli.events.EventArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.engine.Engine;
import io.powercut.report.Summary;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.Shard;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code powercut run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a campaign: simulates a power failure at every failure point of its target, and runs recovery"
          + " on each crash image.",
      "",
      "The summary is printed to standard output, progress to standard error. All files are in"
          + " powercut-runs/CAMPAIGN/TIMESTAMP/ (docs/report.md describes them).",
      "",
      "  powercut run my-program.yaml",
      "  powercut run my-program.yaml --set parameters.operations=100",
      "  powercut run my-program.yaml --resume"
    })
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private CampaignArguments campaign = new CampaignArguments();

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description = "The folder in which runs are kept. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Option(
      names = "--resume",
      description =
          "Continues the campaign's latest run. What was already judged is not judged again.")
  private boolean resume;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description =
          "Injects at the I-th of N parts of the failure points, so that N machines can share a campaign."
              + " powercut merge combines their runs.")
  private String shard = "";

  @Mixin private EventArguments output = new EventArguments();

  private Optional<String> shard() {
    try {
      return Optional.of(shard)
          .filter(part -> !part.isEmpty())
          .map(Shard::parse)
          .map(Shard::toString);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--shard: " + e.getMessage(), e);
    }
  }

  @Override
  public Integer call() {
    Consumer<Event> events =
        output.events().<Consumer<Event>>map(log -> log::write).orElse(event -> {});
    return new Engine(Warnings::print, output.progress(), this::tell)
        .run(campaign.file(), options(), events)
        .exitCode();
  }

  /** A wrong part is known before anything is made. */
  RunOptions options() {
    return new RunOptions(campaign.overrides(), Optional.of(runs), resume, shard());
  }

  private void tell(Report report, Path file) {
    if (output.events().isEmpty()) {
      String name = file.toString();
      Screen.output()
          .print(output.isQuiet() ? Summary.brief(report, name) : Summary.of(report, name));
    }
  }
}
