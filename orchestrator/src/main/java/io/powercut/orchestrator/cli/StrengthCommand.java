// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.strength.Strength;
import io.powercut.orchestrator.strength.StrengthOptions;
import io.powercut.orchestrator.strength.StrengthReport;
import io.powercut.orchestrator.strength.StrengthResult;
import io.powercut.orchestrator.strength.StrengthSummary;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code powercut strength}. */
@Command(
    name = "strength",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the strength of a campaign's oracle by mutation. Each mutant lacks the flushes, fences"
          + " and syncs (msync, fsync) of one call stack. They are removed from the recorded run, not from the"
          + " binary, and recovery judges the states that become possible. A mutant that survives is useless"
          + " code, an untested path, or a blind spot of recovery.",
      "",
      "  powercut strength my-program.yaml",
      "  powercut strength my-program.yaml --function insert --states 256",
      "",
      "Exit code 0 if all mutants were judged, whatever the score; 4 if some were not. The full result is"
          + " in powercut-runs/CAMPAIGN/strength.json, and as a page in strength.html. docs/strength.md explains it."
    })
final class StrengthCommand implements Callable<Integer> {
  /** The campaign's own number of images is about its failure points. */
  private static final List<String> CHANGES = List.of("limits.images=null");

  private static final String FILE = "strength.json";
  private static final String PAGE = "strength.html";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private CampaignArguments campaign = new CampaignArguments();

  @Option(
      names = "--states",
      paramLabel = "N",
      defaultValue = "64",
      description = "The maximum number of states judged per mutant. Default: ${DEFAULT-VALUE}")
  private int states = 1;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Time limit for judging, for example 10m. Default: the campaign's limits.time.")
  private Optional<Duration> time = Optional.empty();

  @Option(
      names = "--function",
      paramLabel = "NAME",
      description = "Makes mutants only in this function of the table.")
  private Optional<String> function = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "The maximum number of mutants: those that the target reaches first.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description =
          "The folder of runs. The result goes to the campaign's folder in it. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    requirePositive("--states", states);
    requirePositive("--limit", limit.orElse(1));
    Campaign loaded = campaign.load(CHANGES);
    Path folder = runs.resolve(loaded.name()).toAbsolutePath().normalize();
    requireThatItCanBeMade(folder);
    Instant began = Instant.now();
    StrengthResult result =
        Strength.of(loaded, new StrengthOptions(states, time, function, limit), output.progress());
    Path file = Files.createDirectories(folder).resolve(FILE);
    Json.write(file, result);
    Path page = folder.resolve(PAGE);
    StrengthReport.of(result).write(page, began);
    Screen screen = Screen.output();
    screen.print(StrengthSummary.of(result));
    screen.print("result       " + file);
    screen.print("page         " + page);
    return result.exitCode().code();
  }

  /** It is made once there is a result: without one it would seem to be a campaign's that ran. */
  private static void requireThatItCanBeMade(Path folder) {
    Path there = folder;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    if (!Files.isDirectory(there) || !Files.isWritable(there)) {
      throw PowercutException.notTrustworthy(
          "cannot write to the folder %s: %s %s. Choose another with --runs DIR."
              .formatted(
                  folder,
                  there,
                  Files.isDirectory(there) ? "must not be written" : "is not a directory"));
    }
  }

  private void requirePositive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), "%s is %d, want 1 or more".formatted(option, value));
    }
  }
}
