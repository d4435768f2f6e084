// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.dataraces.RaceBackend;
import io.powercut.campaign.dataraces.RaceDetector;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.dataraces.DataRaceDetection;
import io.powercut.orchestrator.dataraces.DataRaceResult;
import io.powercut.orchestrator.dataraces.DataRaceText;
import io.powercut.orchestrator.dataraces.ProgramRaces;
import io.powercut.orchestrator.installation.InstalledCampaigns;
import io.powercut.orchestrator.races.RaceList;
import io.powercut.orchestrator.races.RaceSearch;
import io.powercut.races.RaceOptions;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.rundir.RaceLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code powercut races}. */
@Command(
    name = "races",
    mixinStandardHelpOptions = true,
    description = {
      "Looks for persistency-induced races: a thread loads what another one stored and a power cut"
          + " would take away.",
      "",
      "Runs the target without injection, in as many orders of its threads as races.runs says. Each race has the strongest evidence that there is:",
      "  consequence  it happened, and the reader then persisted something or wrote output",
      "  observed     it happened: the load read what was not persisted",
      "  region       nothing orders store, persist and load: some schedule has it (Vardalith)",
      "  lockset      no lock protects all three: another schedule may have it (HawkSet)",
      "",
      "  powercut races my-program.yaml",
      "",
      "Without a campaign it looks for data races in any memory, in a program that powercut cc or powercut c++ compiled:",
      "",
      "  powercut races --runs 5 -- ./program ARGUMENTS",
      "",
      "A race is not yet a bug: recovery may repair its results. So the exit code is 0, unless --fail-on"
          + " says otherwise, or 4 if there was more to follow than memory allows. A data race is a bug: the exit code is 1."
    })
final class RacesCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "CAMPAIGN",
      arity = "1..*",
      description = "A campaign file; or behind -- a program and its arguments.")
  private List<String> operands = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "How often the program behind -- is run. Default: 1")
  private Optional<Integer> runs = Optional.empty();

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "For each run of the program behind --. Default: 10m")
  private Optional<Duration> timeLimit = Optional.empty();

  @Option(
      names = "--detector",
      paramLabel = "DETECTOR",
      description =
          "What looks for races in the program behind --: ${COMPLETION-CANDIDATES}. Default: hmtrace")
  private Optional<RaceDetector> detector = Optional.empty();

  @Option(
      names = "--pure",
      description =
          "Looks as the papers do, for races of the program behind --: not even barriers order threads.")
  private boolean pure;

  @Option(
      names = "--backend",
      paramLabel = "BACKEND",
      description = "What tells the detector of accesses: ${COMPLETION-CANDIDATES}. Default: auto")
  private RaceBackend backend = RaceBackend.AUTO;

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Sets one key of the campaign.")
  private List<String> overrides = new ArrayList<>();

  @Option(
      names = "--fail-on",
      paramLabel = "EVIDENCE",
      description =
          "Exit code 1 if a race has this evidence or stronger one: ${COMPLETION-CANDIDATES}.")
  private Optional<Evidence> failOn = Optional.empty();

  @Option(
      names = "--initialisation",
      description =
          "Also reports what was persisted before a second thread used it. That is usually"
              + " initialisation, which no other thread can see.")
  private boolean initialisation;

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() {
    return spec.commandLine().getParseResult().originalArgs().contains("--")
        ? findDataRaces()
        : findPersistencyRaces();
  }

  private int findDataRaces() {
    refuse(!overrides.isEmpty(), "--set is for a campaign");
    refuse(failOn.isPresent(), "--fail-on is for a campaign");
    refuse(initialisation, "--initialisation is for a campaign");
    refuse(runs.orElse(1) < 1, "--runs is at least 1");
    RaceDetector wanted = detector.orElse(backend.only().orElse(RaceDetector.HMTRACE));
    backend.refusal(wanted).ifPresent(text -> refuse(true, text));
    DataRaceResult result =
        new ProgramRaces(
                operands,
                new DataRaceDetection(wanted, backend, pure),
                runs.orElse(1),
                timeLimit.orElse(Duration.ofMinutes(10)))
            .find();
    DataRaceText.of(result).forEach(System.out::println);
    if (!result.found().isEmpty()) {
      return ExitCode.NEW_BUGS.code();
    }
    if (!result.failures().isEmpty()) {
      return ExitCode.NOT_TRUSTWORTHY.code();
    }
    if (result.runs() == 1 && !output.isQuiet()) {
      Screen.errors().print("one run has one order of its threads; --runs 5 tries others");
    }
    return (result.limits().isEmpty() ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE).code();
  }

  private void refuse(boolean wrong, String text) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), text);
    }
  }

  private int findPersistencyRaces() {
    refuse(operands.size() != 1, "one campaign is needed, or -- and a program");
    refuse(runs.isPresent(), "--runs is for a program behind --; a campaign has races.runs");
    refuse(timeLimit.isPresent(), "--time-limit is for a program behind --");
    refuse(detector.isPresent(), "--detector is for a program behind --");
    refuse(pure, "--pure is for a program behind --; a campaign has dataRaces.pure");
    refuse(backend != RaceBackend.AUTO, "--backend is for a program behind --");
    Campaign campaign =
        InstalledCampaigns.load(Path.of(operands.get(0)), overrides, Warnings::print);
    RaceOptions usual = campaign.races().options();
    RaceOptions options = initialisation ? usual.withInitialisation() : usual;
    RaceLog log = RaceSearch.in(campaign, options, output.progress());
    Screen.output().print(RaceList.of(log));
    return exitCode(log).code();
  }

  private ExitCode exitCode(RaceLog log) {
    boolean fails =
        failOn
            .map(least -> log.races().stream().anyMatch(race -> least.isReachedBy(race.evidence())))
            .orElse(false);
    if (fails) {
      return ExitCode.NEW_BUGS;
    }
    return log.complete() ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
  }

  /** As users write it, the weakest first. */
  enum Evidence {
    lockset(PersistencyRace.Level.LOCKSET),
    region(PersistencyRace.Level.REGION),
    observed(PersistencyRace.Level.OBSERVED),
    consequence(PersistencyRace.Level.CONSEQUENCE);

    private final PersistencyRace.Level level;

    Evidence(PersistencyRace.Level level) {
      this.level = level;
    }

    /** Whether at least that much is known. */
    boolean isReachedBy(PersistencyRace race) {
      return race.level().compareTo(level) <= 0;
    }
  }
}
