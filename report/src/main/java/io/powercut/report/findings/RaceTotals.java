// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.rundir.DataRaceLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts races. */
final class RaceTotals {
  private RaceTotals() {}

  /** The totals of data races, which findings may have beside other evidence. */
  static Report.DataRaces ofData(DataRaceLog log, List<Finding> findings) {
    return new Report.DataRaces(
        log.runs(),
        findingsWith(DataRace.CONFIRMED, findings),
        findingsWith(DataRace.UNCONFIRMED, findings),
        log.suppressed(),
        log.limits(),
        log.failures());
  }

  private static long findingsWith(String kind, List<Finding> findings) {
    return findings.stream().filter(finding -> finding.kinds().contains(kind)).count();
  }

  /**
   * The totals of a run.
   *
   * @param log of the run
   */
  static Report.Races of(RaceLog log, List<Finding> findings) {
    Map<String, Long> byEvidence = new LinkedHashMap<>();
    for (PersistencyRace.Level level : PersistencyRace.Level.values()) {
      long count =
          findings.stream()
              .filter(
                  finding ->
                      finding.races().stream()
                          .findFirst()
                          .map(PersistencyRace::level)
                          .filter(level::equals)
                          .isPresent())
              .count();
      if (count > 0) {
        byEvidence.put(level.toString(), count);
      }
    }
    List<Finding> all = findings.stream().filter(finding -> !finding.races().isEmpty()).toList();
    return new Report.Races(
        byEvidence,
        all.stream().filter(finding -> finding.severity() == Severity.BUG).count(),
        all.stream().filter(RaceTotals::isTried).count(),
        log.complete(),
        log.failures(),
        log.left(),
        log.limits(),
        log.serial());
  }

  /** For a race, or elsewhere, where the crash shows it. */
  private static boolean isTried(Finding finding) {
    return finding.severity() == Severity.BUG
        || finding.races().stream().anyMatch(race -> race.tried().isPresent());
  }
}
