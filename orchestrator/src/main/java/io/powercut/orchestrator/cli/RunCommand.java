// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.cli.events.EventArguments;
import io.powercut.orchestrator.cli.events.EventLog;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.report.Summary;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.Shard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.Callable;
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

  private Optional<Shard> shard() {
    try {
      return shard.isEmpty() ? Optional.empty() : Optional.of(Shard.parse(shard));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--shard: " + e.getMessage(), e);
    }
  }

  @Override
  public Integer call() {
    Optional<Shard> part = shard(); // A wrong one must not leave a run behind.
    Campaign loaded = campaign.load();
    RunDirectory directory =
        resume
            ? latest(loaded, part)
            : RunDirectory.create(runs, loaded.name(), LocalDateTime.now(ZoneId.systemDefault()));
    Report report =
        new CampaignRun(loaded, campaign.file(), directory, part, output.progress()).run();
    tell(report, directory);
    return report.outcome().exitCode();
  }

  private void tell(Report report, RunDirectory directory) {
    Optional<EventLog> events = output.events();
    if (events.isPresent()) {
      events.get().ended(report, directory.path());
      return;
    }
    String file = directory.reportFile().toString();
    Screen.output()
        .print(output.isQuiet() ? Summary.brief(report, file) : Summary.of(report, file));
  }

  private RunDirectory latest(Campaign loaded, Optional<Shard> part) {
    RunDirectory directory = RunDirectory.open(runs.resolve(loaded.name()).resolve("latest"));
    if (!directory.campaign().equals(loaded)) {
      throw PowercutException.usage(
          "the campaign has changed since the run in "
              + directory.path()
              + " (compare its campaign.yaml). Start a new run without --resume.");
    }
    requireSameShard(directory, part);
    return directory;
  }

  private static void requireSameShard(RunDirectory directory, Optional<Shard> part) {
    if (!Files.exists(directory.factsFile())) {
      return; // It was ended before it had judged anything.
    }
    Optional<Shard> earlier = directory.facts().shard();
    if (!earlier.equals(part)) {
      throw PowercutException.usage(
          "the run in %s is of %s, not of %s: %s, or start a new run without --resume."
              .formatted(
                  directory.path(),
                  name(earlier),
                  name(part),
                  earlier.map(other -> "add --shard " + other).orElse("omit --shard")));
    }
  }

  private static String name(Optional<Shard> shard) {
    return shard.map(one -> "part " + one).orElse("all failure points");
  }
}
