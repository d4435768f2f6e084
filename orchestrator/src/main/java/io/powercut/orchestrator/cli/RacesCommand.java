// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.races.RaceList;
import io.powercut.orchestrator.races.RaceSearch;
import io.powercut.races.RaceOptions;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.rundir.RaceLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
      "A race is not yet a bug: recovery may repair its results. So the exit code is 0, unless --fail-on"
          + " says otherwise, or 4 if there was more to follow than memory allows."
    })
final class RacesCommand implements Callable<Integer> {
  @Parameters(paramLabel = "CAMPAIGN", description = "A campaign file.")
  private Path file = Path.of("");

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
    Campaign campaign = CampaignLoader.load(file, overrides, Warnings::print);
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
    lockset,
    region,
    observed,
    consequence;

    boolean isReachedBy(PersistencyRace race) {
      return valueOf(race.level()).compareTo(this) >= 0;
    }
  }
}
