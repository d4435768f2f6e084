package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.cli.progress.ProgressChoice;
import io.powercut.orchestrator.strength.Strength;
import io.powercut.orchestrator.strength.StrengthOptions;
import io.powercut.orchestrator.strength.StrengthResult;
import io.powercut.orchestrator.strength.StrengthSummary;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
      "Measures how strong a campaign's oracle is: takes away the flushes, fences and syncs (msync, fsync)"
          + " of the target, one call stack at a time, in the recorded run and not in the binary, and asks recovery about"
          + " the states that this makes possible. Shows which of these planted bugs the campaign would"
          + " catch, and those whose loss nobody would notice: they are useless, or"
          + " their path is not tested, or recovery is blind there.",
      "",
      "  powercut strength my-program.yaml",
      "  powercut strength my-program.yaml --function insert --states 256",
      "",
      "Exit code 0 when all were judged, whatever the score; 4 when some were not. All of the result"
          + " goes to powercut-runs/CAMPAIGN/strength.json. docs/strength.md says what it means."
    })
final class StrengthCommand implements Callable<Integer> {
  /** The campaign's own number of images is about its failure points. */
  private static final List<String> CHANGES = List.of("limits.images=null");

  private static final String FILE = "strength.json";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private CampaignArguments campaign = new CampaignArguments();

  @Option(
      names = "--states",
      paramLabel = "N",
      defaultValue = "64",
      description =
          "How many states of each planted bug recovery judges at most. Default: ${DEFAULT-VALUE}")
  private int states = 1;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How long judging may take, for example 10m. Default: the campaign's limits.time")
  private Optional<Duration> time = Optional.empty();

  @Option(
      names = "--function",
      paramLabel = "NAME",
      description = "Plants bugs only in this function of the table.")
  private Optional<String> function = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many bugs are planted at most: those that the target comes by first.")
  private Optional<Integer> limit = Optional.empty();

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description =
          "Where runs are kept; the result goes to the campaign's folder there. Default:"
              + " ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Override
  public Integer call() throws IOException {
    requirePositive("--states", states);
    requirePositive("--limit", limit.orElse(1));
    Campaign loaded = campaign.load(CHANGES);
    Path folder = Files.createDirectories(runs.resolve(loaded.name()).toAbsolutePath().normalize());
    StrengthResult result =
        Strength.of(
            loaded, new StrengthOptions(states, time, function, limit), ProgressChoice.choose());
    Path file = folder.resolve(FILE);
    Json.write(file, result);
    StrengthSummary.of(result).forEach(System.out::println);
    System.out.println("result       " + file);
    return result.exitCode().code();
  }

  private void requirePositive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), "%s is %d, want 1 or more".formatted(option, value));
    }
  }
}
