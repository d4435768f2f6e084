// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateTotalsTest {
  private static final FailurePointId ONE = new FailurePointId(1);
  private static final FailurePointId TWO = new FailurePointId(2);

  private static Judgement judged(FailurePointId id, int occurrence, Verdict.Kind kind) {
    return new Judgement(
        id,
        occurrence,
        0,
        kind,
        "seen",
        "check",
        "",
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  private static StateVerdicts states(FailurePointId id, int occurrence, boolean decided) {
    return StateVerdicts.none(new Occurrence(id, occurrence), decided);
  }

  @Test
  void failurePointShouldBeDecidedIfEachOfItsOccurrencesIs() {
    Report.States totals =
        StateTotals.of(
            List.of(
                states(ONE, 1, true),
                states(ONE, 2, true),
                states(TWO, 1, true),
                states(TWO, 2, false)),
            List.of(
                judged(ONE, 1, Verdict.Kind.CONSISTENT),
                judged(ONE, 2, Verdict.Kind.CONSISTENT),
                judged(TWO, 1, Verdict.Kind.CONSISTENT),
                judged(TWO, 2, Verdict.Kind.CONSISTENT)));

    assertThat(totals.decided()).isOne();
    assertThat(totals.tested()).isEqualTo(2);
  }

  @Test
  void failurePointWithABrokenImageShouldNotBeDecided() {
    Report.States totals =
        StateTotals.of(List.of(), List.of(judged(ONE, 1, Verdict.Kind.UNRECOVERABLE)));

    assertThat(totals.decided()).isZero();
    assertThat(totals.tested()).isOne();
  }

  @Test
  void whatNoPolicyChoseShouldNotBeLeftWhereAllIsDecided() {
    Report.States totals =
        StateTotals.of(List.of(leaving(ONE, 5, true), leaving(TWO, 3, false)), List.of());

    assertThat(totals.left()).containsExactly(Map.entry("sampled", 3L));
  }

  private static StateVerdicts leaving(FailurePointId id, long left, boolean decided) {
    return new StateVerdicts(
        id,
        1,
        0,
        Map.of(),
        Map.of("sampled", left),
        0,
        0,
        0,
        List.of(),
        List.of(),
        Map.of(),
        true,
        decided);
  }
}
