// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many of the mutants in a function are killed.
 *
 * @param function its name
 * @param killed how many are
 * @param noCoverage how many make no difference where the campaign looks
 * @param survived how many make one that recovery accepts
 * @param unread how many make one in data that recovery does not read
 */
public record FunctionScore(String function, int killed, int noCoverage, int survived, int unread) {
  /** How many mutants were judged. */
  public int mutants() {
    return killed + noCoverage + survived + unread;
  }

  /** The killed ones, in percent, rounded down; 100 only if all are. */
  public int percent() {
    return mutants() == 0 ? 0 : 100 * killed / mutants();
  }

  /** The score of bugs, whatever functions they are in. */
  static FunctionScore of(String function, List<Mutant> bugs) {
    return new FunctionScore(
        function,
        count(bugs, Outcome.KILLED),
        count(bugs, Outcome.NO_COVERAGE),
        count(bugs, Outcome.SURVIVED),
        count(bugs, Outcome.UNREAD));
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
    scores.removeIf(score -> score.mutants() == 0);
    scores.sort(
        Comparator.comparingInt(FunctionScore::percent)
            .thenComparing(FunctionScore::mutants, Comparator.reverseOrder()));
    return scores;
  }
}
