// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The races of a program in one or more runs.
 *
 * @param runs how many there were, from 1
 * @param found one for each pair of places in the code
 * @param limits what was not seen, in sentences
 * @param failures how runs ended that did not end well, in sentences
 */
public record DataRaceResult(
    int runs, List<Found> found, List<String> limits, List<String> failures) {

  /**
   * A race, and how many runs saw it.
   *
   * @param race as the first of them saw it
   * @param runs from 1
   */
  public record Found(DataRace race, int runs) {}

  /** Keeps its own copies. */
  public DataRaceResult {
    found = List.copyOf(found);
    limits = List.copyOf(limits);
    failures = List.copyOf(failures);
  }

  /** Races of the same two places are one. */
  static List<Found> merge(List<List<DataRace>> runs) {
    Map<String, Found> merged = new LinkedHashMap<>();
    for (List<DataRace> run : runs) {
      Map<String, DataRace> once = new LinkedHashMap<>();
      run.forEach(race -> once.merge(race.places(), race, DataRaceResult::plainer));
      once.forEach(
          (places, race) ->
              merged.merge(
                  places,
                  new Found(race, 1),
                  (old, same) -> new Found(old.race(), old.runs() + 1)));
    }
    return new ArrayList<>(merged.values());
  }

  /** Of one statement that reads and writes, two writes show the race best. */
  private static DataRace plainer(DataRace one, DataRace other) {
    return writes(other) > writes(one) ? other : one;
  }

  private static int writes(DataRace race) {
    return (race.first().kind().endsWith("write") ? 1 : 0)
        + (race.second().kind().endsWith("write") ? 1 : 0);
  }
}
