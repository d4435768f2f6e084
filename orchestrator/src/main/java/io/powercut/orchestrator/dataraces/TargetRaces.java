// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.campaign.dataraces.DataRacesSection;
import io.powercut.campaign.sections.TargetSection;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmArea;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.Execution;
import io.powercut.process.CommandSpec;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.rundir.DataRaceLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The data races of a campaign's target, which runs for them alone. */
public final class TargetRaces {
  private final DataRacesSection section;
  private final TargetSection target;
  private final List<String> locks;
  private final Commands commands;
  private final Supervisors supervisors;
  private final PmArea area;
  private final FindingIdentity identity =
      new FindingIdentity(new CodePlaces(module -> Optional.empty()));

  /**
   * @param section how to look for them
   * @param locks locks of the target's own making, as the recorder wants them
   * @param area where each run has its copy of the PM directory
   */
  public TargetRaces(
      DataRacesSection section,
      TargetSection target,
      List<String> locks,
      Commands commands,
      Supervisors supervisors,
      PmArea area) {
    this.section = section;
    this.target = target;
    this.locks = List.copyOf(locks);
    this.commands = commands;
    this.supervisors = supervisors;
    this.area = area;
  }

  /**
   * Runs the target as often as the campaign wants.
   *
   * @param base the PM directory after set-up; each run has a copy of it
   * @throws PowercutException if the target cannot be started, or was not compiled for it
   */
  public DataRaceLog find(Path base) {
    try {
      return log(
          new DataRaceRuns(
                  environment -> run(base, environment),
                  new DataRaceDetection(section.detector(), section.backend(), section.pure()),
                  section.runs())
              .find());
    } catch (PowercutException e) {
      throw PowercutException.notTrustworthy("dataRaces: the target: %s".formatted(e.getMessage()));
    }
  }

  private DataRaceRuns.Outcome run(Path base, Map<String, String> environment) {
    try (ExecutionDirectories places = Execution.copyOf(base, area);
        Supervisors.Loan loan = supervisors.borrow()) {
      CommandSpec.Builder command =
          commands
              .bounded(command(places), target.timeout(), places)
              .outputFile(places.scratch().resolve("target.txt"));
      environment.forEach(command::environment);
      CommandOutcome outcome =
          CommandOutcome.of(
              loan.supervisor(),
              command.build(),
              commands.server(target, places),
              Commands.success(target.success(), target));
      return new DataRaceRuns.Outcome(outcome.result(), outcome.problem());
    } catch (OutOfSpaceException e) {
      throw PowercutException.notTrustworthy(e.getMessage());
    }
  }

  private List<String> command(ExecutionDirectories places) {
    return WatchedCommand.of(
        commands.expand(section.command().orElse(target.command()), places),
        commands.workingDirectory(),
        section.backend(),
        locks);
  }

  private DataRaceLog log(DataRaceResult result) {
    List<DataRace> all =
        Stream.concat(result.found().stream(), result.suspected().stream()).toList();
    List<DataRace> wanted = all.stream().filter(race -> !isSuppressed(race)).toList();
    return new DataRaceLog(
        result.runs(),
        wanted.stream().map(this::found).toList(),
        all.size() - wanted.size(),
        result.limits(),
        result.failures());
  }

  private boolean isSuppressed(DataRace race) {
    return section.suppress().stream()
        .anyMatch(one -> one.covers(race.first().stack()) || one.covers(race.second().stack()));
  }

  private DataRaceLog.Found found(DataRace race) {
    return new DataRaceLog.Found(
        identity.ofDataRace(race.first().stack(), race.second().stack(), race.confirmed()), race);
  }
}
