// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which occurrences are judged since bugs were found near them. */
class BugsInTraceTest {
  private final KeptResults results = new KeptResults();
  private final BugsInTrace bugs = new BugsInTrace(results, List.of(), List.of());
  private final Preceding preceding = new Preceding();

  private static Occurrence at(long point, long number) {
    return new Occurrence(new FailurePointId(point), number);
  }

  private void judged(Occurrence occurrence, long ordinal, String problem) {
    bugs.judged(
        FakeRecovery.verdict(occurrence, Optional.of(problem).filter(text -> !text.isEmpty()))
            .at(ordinal));
  }

  /** All of these are reached, one after the other, and those with a verdict are kept. */
  private void reached(Occurrence... occurrences) {
    preceding.begin();
    for (Occurrence occurrence : occurrences) {
      preceding.reached(occurrence);
      if (results.judged().stream().anyMatch(one -> one.cut().equals(occurrence))) {
        preceding.keep();
      }
    }
  }

  @Test
  void whatIsRightBeforeTheSecondOfTwoLikeFailuresShouldBeJudged() {
    judged(at(1, 1), 10, "list 3 is broken");
    judged(at(2, 1), 20, "list 4 is broken");
    reached(at(1, 1), at(3, 7), at(3, 8), at(2, 1));

    assertThat(bugs.between(preceding)).containsExactly(at(3, 8));
    assertThat(results.judged()).hasSize(2);
  }

  @Test
  void nothingShouldBeJudgedWhereItIsKnownWhetherTheyAreOneBug() {
    judged(at(1, 1), 10, "list 3 is broken");
    judged(at(2, 1), 20, "list 3 is broken");
    judged(at(4, 1), 30, "");
    judged(at(5, 1), 40, "list 4 is broken");
    judged(at(6, 1), 50, "a tree is broken");
    judged(at(6, 2), 60, "a tree is broken");
    reached(at(1, 1), at(2, 1), at(4, 1), at(3, 1), at(5, 1), at(3, 2), at(6, 1), at(3, 3));

    assertThat(bugs.between(preceding)).isEmpty();
  }

  @Test
  void whatIsBeforeTheChangeOfMetadataOfABugShouldBeJudged() {
    judged(at(1, 1), 10, "");
    judged(at(2, 1), 20, "a file is missing");
    judged(at(2, 2), 30, "a file is missing");
    judged(at(4, 1), 40, "a tree is broken");
    judged(at(5, 1), 50, "");
    reached(at(1, 1), at(3, 8), at(2, 1), at(3, 9), at(2, 2), at(3, 10), at(4, 1), at(5, 1));

    assertThat(bugs.beforeMetadata(preceding, cut -> true))
        .containsExactlyInAnyOrder(at(3, 8), at(3, 9), at(3, 10));
    assertThat(bugs.beforeMetadata(preceding, cut -> cut.id().value() == 4))
        .containsExactly(at(3, 10));
    judged(at(3, 8), 15, "");
    judged(at(3, 9), 25, "");
    assertThat(bugs.beforeMetadata(preceding, cut -> cut.id().value() == 2)).isEmpty();
  }

  @Test
  void laterOccurrencesWithBugsShouldBeThoseOfThisPartOfTheRun() {
    BugsInTrace resumed =
        new BugsInTrace(
            results,
            List.of(FakeRecovery.verdict(at(1, 2), Optional.of("list 3 is broken")).at(10)),
            List.of());
    resumed.judged(FakeRecovery.verdict(at(2, 1), Optional.of("list 4 is broken")).at(20));
    resumed.judged(FakeRecovery.verdict(at(2, 2), Optional.of("list 4 is broken")).at(30));
    resumed.judged(FakeRecovery.verdict(at(2, 3), Optional.empty()).at(40));
    JudgedState.Store lost = FakeRecovery.unflushed(0, JudgedState.Role.CAUSE);
    JudgedState.Store other = FakeRecovery.unflushed(1, JudgedState.Role.INVOLVED);
    resumed.explored(FakeRecovery.proof(at(2, 1), lost, List.of()));
    resumed.explored(FakeRecovery.proof(at(2, 4), lost, List.of()));
    resumed.explored(FakeRecovery.proof(at(2, 5), lost, List.of(other)));
    resumed.explored(FakeRecovery.proof(at(2, 6), other, List.of()));

    assertThat(resumed.later(false)).containsExactly(at(2, 2));
    assertThat(resumed.later(true)).containsExactlyInAnyOrder(at(2, 2), at(2, 4));
  }

  @Test
  void verdictsOfAnEarlierPartOfTheRunShouldCount() {
    BugsInTrace resumed =
        new BugsInTrace(
            results,
            List.of(FakeRecovery.verdict(at(1, 1), Optional.of("list 3 is broken")).at(10)),
            List.of(
                StateVerdicts.none(at(9, 1), false)
                    .withFindings(List.of(FakeRecovery.verdict(at(9, 1), Optional.of("lost"))))));
    resumed.judged(FakeRecovery.verdict(at(2, 1), Optional.of("list 4 is broken")).at(20));
    reached(at(1, 1), at(3, 7), at(2, 1));

    assertThat(resumed.between(preceding)).containsExactly(at(3, 7));
    assertThat(resumed.isNewAt(Set.of(at(9, 1)))).isTrue();
  }

  @Test
  void onlyBugsThatWereNotSeenBeforeShouldMakeMoreWorthLookingAt() {
    judged(at(1, 1), 10, "list 3 is broken");
    judged(at(1, 2), 20, "list 4 is broken");
    bugs.explored(StateVerdicts.none(at(2, 1), false));
    bugs.explored(
        StateVerdicts.none(at(2, 2), false)
            .withFindings(List.of(FakeRecovery.verdict(at(2, 2), Optional.of("lost")))));

    assertThat(bugs.isNewAt(Set.of(at(1, 1)))).isTrue();
    assertThat(bugs.isNewAt(Set.of(at(1, 2), at(2, 1)))).isFalse();
    assertThat(bugs.isNewAt(Set.of(at(2, 2)))).isTrue();
  }
}
