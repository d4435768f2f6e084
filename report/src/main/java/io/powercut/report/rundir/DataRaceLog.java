// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.DataRace;
import java.util.List;

/**
 * The data races of a target that {@code powercut cc} compiled; {@code data-races.json} holds it.
 *
 * @param runs how often the target was run for them, from 1
 * @param races one for each pair of places in the code
 * @param suppressed how many more there were that the campaign suppresses
 * @param limits what was not seen, in sentences
 * @param failures how runs ended that did not end well, in sentences
 */
public record DataRaceLog(
    int runs, List<Found> races, int suppressed, List<String> limits, List<String> failures) {
  /** Copies the lists. */
  public DataRaceLog {
    races = List.copyOf(races);
    limits = List.copyOf(limits);
    failures = List.copyOf(failures);
  }

  /**
   * One race.
   *
   * @param fingerprint of its two places
   * @param evidence what was seen
   */
  public record Found(String fingerprint, DataRace evidence) {}
}
