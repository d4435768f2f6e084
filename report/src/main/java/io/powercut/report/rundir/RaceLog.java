// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.PersistencyRace;
import java.util.List;

/**
 * The persistency-induced races that were found in the trace of a run; {@code races.json} holds it.
 *
 * @param complete whether all of the trace could be kept, so that none is missing
 * @param races the strongest evidence first
 */
public record RaceLog(boolean complete, List<Found> races) {
  /** Copies the list. */
  public RaceLog {
    races = List.copyOf(races);
  }

  /**
   * One race.
   *
   * @param fingerprint of its places: store, persist and load
   * @param evidence what was seen
   */
  public record Found(String fingerprint, PersistencyRace evidence) {}
}
