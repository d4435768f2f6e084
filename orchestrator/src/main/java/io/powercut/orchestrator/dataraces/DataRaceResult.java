// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.StackFrame;
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
    List<DataRace> found,
    List<DataRace> suspected,
    List<String> limits,
    List<String> failures) {

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
  private static List<DataRace> merge(List<List<DataRace>> runs) {
    Map<String, DataRace> merged = new LinkedHashMap<>();
    for (List<DataRace> run : runs) {
      Map<String, DataRace> once = new LinkedHashMap<>();
      run.forEach(race -> once.merge(places(race), race, DataRaceResult::plainer));
      once.forEach(
          (places, race) ->
              merged.merge(
                  places,
                  race.in(1, runs.size()),
                  (old, same) -> both(old, same).in(old.runs() + 1, runs.size())));
    }
    return new ArrayList<>(merged.values());
  }

  /** The same for races between the same two places in the code, whichever came first. */
  private static String places(DataRace race) {
    return String.join(
        "\n", Stream.of(race.first(), race.second()).map(DataRaceResult::place).sorted().toList());
  }

  /** Its line. Compilers put an inlined function's line under the name of its caller, too. */
  private static String place(DataRace.Access access) {
    return UserFrames.of(access.stack()).map(DataRaceResult::line).orElse("?");
  }

  private static String line(StackFrame frame) {
    return frame.line() > 0 ? frame.file() + ":" + frame.line() : frame.text();
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
