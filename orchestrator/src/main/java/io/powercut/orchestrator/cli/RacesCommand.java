// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.ProgressChoice;
import io.powercut.orchestrator.races.RaceList;
import io.powercut.orchestrator.races.RaceSearch;
import io.powercut.races.Race;
import io.powercut.races.RaceEvidence;
import io.powercut.races.RaceOptions;
import io.powercut.races.RaceResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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
      "Runs the target once, without injection. Each race has the strongest evidence that there is:",
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

  @Override
  public Integer call() {
    Campaign campaign = CampaignLoader.load(file, overrides, Warnings::print);
    RaceOptions usual = campaign.races().options();
    RaceOptions options = initialisation ? usual.withInitialisation() : usual;
    RaceResult result = RaceSearch.in(campaign, options, ProgressChoice.choose());
    RaceList.of(result).forEach(System.out::println);
    return exitCode(result).code();
  }

  private ExitCode exitCode(RaceResult result) {
    boolean fails =
        failOn
            .map(least -> result.races().stream().anyMatch(race -> least.isReachedBy(race)))
            .orElse(false);
    if (fails) {
      return ExitCode.NEW_BUGS;
    }
    return result.isComplete() ? ExitCode.NOTHING_NEW : ExitCode.INCOMPLETE;
  }

  /** As users write it. */
  enum Evidence {
    lockset(RaceEvidence.LOCKSET),
    region(RaceEvidence.REGION),
    observed(RaceEvidence.OBSERVED),
    consequence(RaceEvidence.CONSEQUENCE);

    private final RaceEvidence evidence;

    Evidence(RaceEvidence evidence) {
      this.evidence = evidence;
    }

    boolean isReachedBy(Race race) {
      return race.evidence().compareTo(evidence) >= 0;
    }
  }
}
