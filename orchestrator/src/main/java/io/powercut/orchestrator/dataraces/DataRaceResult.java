// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The races of a program in one or more runs.
 *
 * @param runs how many there were, from 1
 * @param found one for each pair of places in the code
 * @param suspected what no detector confirmed
 * @param limits what was not seen, in sentences
 * @param failures how runs ended that did not end well, in sentences
 */
public record DataRaceResult(
    int runs,
    List<Found> found,
    List<Found> suspected,
    List<String> limits,
    List<String> failures) {

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
    suspected = List.copyOf(suspected);
    limits = List.copyOf(limits);
    failures = List.copyOf(failures);
  }

  /**
   * What all runs saw.
   *
   * @param races of each run
   */
  static DataRaceResult of(
      List<List<DataRace>> races, Collection<String> limits, List<String> failures) {
    return new DataRaceResult(
        races.size(),
        merge(races.stream().map(run -> only(run, true)).toList()),
        merge(races.stream().map(run -> only(run, false)).toList()),
        List.copyOf(limits),
        failures);
  }

  private static List<DataRace> only(List<DataRace> races, boolean confirmed) {
    return races.stream().filter(race -> race.confirmed() == confirmed).toList();
  }

  /** Races of the same two places are one. */
  private static List<Found> merge(List<List<DataRace>> runs) {
    Map<String, Found> merged = new LinkedHashMap<>();
    for (List<DataRace> run : runs) {
      Map<String, DataRace> once = new LinkedHashMap<>();
      run.forEach(race -> once.merge(race.places(), race, DataRaceResult::plainer));
      once.forEach(
          (places, race) ->
              merged.merge(
                  places,
                  new Found(race, 1),
                  (old, same) -> new Found(both(old.race(), same.race()), old.runs() + 1)));
    }
    return new ArrayList<>(merged.values());
  }

  /** Of one statement that reads and writes, two writes show the race best. */
  private static DataRace plainer(DataRace one, DataRace other) {
    return writes(other) > writes(one) ? both(other, one) : both(one, other);
  }

  private static DataRace both(DataRace shown, DataRace same) {
    return shown.foundBy(
        Stream.concat(shown.detectors().stream(), same.detectors().stream()).toList());
  }

  private static int writes(DataRace race) {
    return (race.first().kind().endsWith("write") ? 1 : 0)
        + (race.second().kind().endsWith("write") ? 1 : 0);
  }
}
