// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many of the bugs planted in a function are caught.
 *
 * @param function its name
 * @param caught how many are
 * @param neverTested how many make no difference where the campaign looks
 * @param nobodyNoticed how many make one that recovery accepts
 */
public record FunctionScore(String function, int caught, int neverTested, int nobodyNoticed) {
  /** How many were planted and judged. */
  public int planted() {
    return caught + neverTested + nobodyNoticed;
  }

  /** The caught ones among the planted ones, in percent, rounded down; 100 only if all are. */
  public int percent() {
    return planted() == 0 ? 0 : 100 * caught / planted();
  }

  /** The score of bugs, whatever functions they are in. */
  static FunctionScore of(String function, List<Mutant> bugs) {
    return new FunctionScore(
        function,
        count(bugs, Outcome.CAUGHT),
        count(bugs, Outcome.NEVER_TESTED),
        count(bugs, Outcome.NOBODY_NOTICED));
  }

  private static int count(List<Mutant> bugs, Outcome outcome) {
    return (int) bugs.stream().filter(bug -> bug.outcome() == outcome).count();
  }

  /** The scores of all functions in which something was judged, the lowest first. */
  static List<FunctionScore> byFunction(List<Mutant> bugs) {
    Map<String, List<Mutant>> byName = new TreeMap<>();
    for (Mutant bug : bugs) {
      byName.computeIfAbsent(bug.function(), name -> new ArrayList<>()).add(bug);
    }
    List<FunctionScore> scores = new ArrayList<>();
    byName.forEach((name, its) -> scores.add(of(name, its)));
    scores.removeIf(score -> score.planted() == 0);
    scores.sort(
        Comparator.comparingInt(FunctionScore::percent)
            .thenComparing(FunctionScore::planted, Comparator.reverseOrder()));
    return scores;
  }
}
