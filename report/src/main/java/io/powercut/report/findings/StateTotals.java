// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PolicyName;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up the outcome of crash states beyond program order. */
final class StateTotals {
  private StateTotals() {}

  /**
   * The totals of a run.
   *
   * @param judgements on program-order images; the states beside consistent ones are explored
   */
  static Report.States of(List<StateVerdicts> all, List<Judgement> judgements) {
    Map<Occurrence, StateVerdicts> byOccurrence = new HashMap<>();
    Map<String, Long> byPolicy = new TreeMap<>();
    Map<String, Long> left = new TreeMap<>();
    for (StateVerdicts one : all) {
      byOccurrence.put(one.at(), one);
      one.chosen()
          .forEach(
              (policy, count) -> byPolicy.merge(PolicyName.of(policy), (long) count, Long::sum));
      if (!one.decided()) { // else what no policy chose is decided all the same
        one.left()
            .forEach((policy, count) -> left.merge(PolicyName.of(policy), count, StateTotals::sum));
      }
    }
    long unexplored =
        judgements.stream()
                .filter(judgement -> judgement.kind() == Verdict.Kind.CONSISTENT)
                .map(Judgement::cut)
                .filter(
                    occurrence ->
                        !byOccurrence.containsKey(occurrence)
                            || !byOccurrence.get(occurrence).isSettled())
                .count()
            + all.stream().filter(one -> one.at().isEnd() && !one.isSettled()).count();
    return new Report.States(
        all.stream().mapToLong(StateVerdicts::total).sum(),
        byPolicy,
        left,
        all.stream().mapToLong(StateVerdicts::recoveries).sum(),
        all.stream().mapToLong(StateVerdicts::unread).sum(),
        all.stream().mapToLong(StateVerdicts::failing).sum(),
        unexplored,
        decided(judgements, byOccurrence),
        judgements.stream().map(Judgement::failurePointId).distinct().count());
  }

  /** Failure points at which every state is decided. */
  private static long decided(
      List<Judgement> judgements, Map<Occurrence, StateVerdicts> byOccurrence) {
    Map<FailurePointId, Boolean> decided = new HashMap<>();
    for (Judgement judgement : judgements) {
      StateVerdicts states = byOccurrence.get(judgement.cut());
      boolean isDecided = states != null && states.isSettled() && states.decided();
      decided.merge(judgement.failurePointId(), isDecided, Boolean::logicalAnd);
    }
    return decided.values().stream().filter(isDecided -> isDecided).count();
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
