// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OccurrenceChoiceTest {
  private static final FailurePointId OFTEN = new FailurePointId(1);
  private static final FailurePointId ONCE = new FailurePointId(2);
  private static final long USUAL_STORES = 77;
  private static final OccurrencesSection DEFAULT =
      new OccurrencesSection(Optional.empty(), Optional.empty(), Optional.empty(), 5, 1);

  private static OccurrencesSection wanted(int first, int last, int random, int seed) {
    return new OccurrencesSection(
        Optional.of(first), Optional.of(last), Optional.of(random), 5, seed);
  }

  private static OccurrenceChoice counted(OccurrencesSection wanted) {
    OccurrenceChoice choice = new OccurrenceChoice(wanted);
    for (int occurrence = 0; occurrence < 10; occurrence++) {
      choice.count(OFTEN, USUAL_STORES);
    }
    choice.count(ONCE, USUAL_STORES);
    return choice;
  }

  private static Set<Long> numbers(Set<Occurrence> occurrences, FailurePointId id) {
    return occurrences.stream()
        .filter(occurrence -> occurrence.id().equals(id))
        .map(Occurrence::number)
        .collect(Collectors.toSet());
  }

  @Test
  void lastVisitsShouldNotRepeatTheFirstOnes() {
    Set<Occurrence> later = counted(wanted(1, 2, 0, 1)).later();

    assertThat(numbers(later, OFTEN)).containsExactlyInAnyOrder(9L, 10L);
    assertThat(numbers(later, ONCE)).isEmpty();
  }

  @Test
  void randomVisitsShouldComeFromBetweenAndBeTheSameForTheSameSeed() {
    Set<Occurrence> later = counted(wanted(1, 1, 3, 7)).later();

    assertThat(numbers(later, OFTEN)).hasSize(4).contains(10L).doesNotContain(1L);
    assertThat(counted(wanted(1, 1, 3, 7)).later()).isEqualTo(later);
  }

  @Test
  void moreRandomVisitsThanThereAreShouldBeAllOfThem() {
    assertThat(numbers(counted(wanted(0, 0, 50, 7)).later(), OFTEN)).hasSize(10);
  }

  @Test
  void onlyTheFirstVisitsShouldBeJudgedAtOnce() {
    OccurrenceChoice choice = new OccurrenceChoice(wanted(2, 0, 0, 1));

    assertThat(choice.isFirst(choice.count(OFTEN, 0))).isTrue();
    assertThat(choice.isFirst(choice.count(OFTEN, 0))).isTrue();
    assertThat(choice.isFirst(choice.count(OFTEN, 0))).isFalse();
  }

  @Test
  void whereOtherStoresAreInFlightShouldBeJudgedOnceByDefault() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    for (int occurrence = 1; occurrence <= 40; occurrence++) {
      choice.count(OFTEN, occurrence % 4 == 0 ? 78 : USUAL_STORES);
    }

    assertThat(choice.withOtherStores()).containsExactly(new Occurrence(OFTEN, 4));
    assertThat(choice.later()).containsExactly(new Occurrence(OFTEN, 40));
    assertThat(choice.chosen()).isEqualTo(3);
  }

  /** Twenty failure points each of which sees nine further sets. */
  @Test
  void eachDifferenceShouldBeJudgedOnceBeforeAnyIsJudgedTwice() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    for (long set = 0; set < 10; set++) {
      for (long point = 1; point <= 20; point++) {
        choice.count(new FailurePointId(point), 1L << set);
      }
    }

    Set<Occurrence> others = choice.withOtherStores();

    assertThat(others).hasSize(32);
    for (long number = 2; number <= 10; number++) {
      long occurrence = number;
      assertThat(others.stream().filter(one -> one.number() == occurrence)).hasSizeBetween(3, 4);
    }
  }

  /** As long as bugs are found there, up to a bound. */
  @Test
  void furtherCallsShouldGiveOthersUntilThereAreEnough() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    for (long set = 0; set < 10; set++) {
      for (long point = 1; point <= 50; point++) {
        choice.count(new FailurePointId(point), 1L << set);
      }
    }

    Set<Occurrence> all = new HashSet<>();
    for (int time = 1; time <= 8; time++) {
      assertThat(choice.withOtherStores()).hasSize(32).allMatch(all::add);
    }
    assertThat(choice.withOtherStores()).isEmpty();
  }

  /** A program that persists all it stored in one place has all its mistakes there. */
  @Test
  void oneFailurePointMayHaveAsManySetsAsAnyRunJudges() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    for (long occurrence = 1; occurrence <= 600; occurrence++) {
      choice.count(OFTEN, occurrence % 2 == 0 ? occurrence : USUAL_STORES);
    }

    Set<Occurrence> all = new HashSet<>();
    for (int time = 1; time <= 8; time++) {
      all.addAll(choice.withOtherStores());
    }
    assertThat(all).hasSize(255);
  }

  /** What one mistake leaves behind is in flight at all failure points from then on. */
  @Test
  void laterMistakeShouldNotBeCrowdedOutByAnEarlierOneThatShowsEverywhere() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    for (long round = 1; round <= 8; round++) {
      for (long point = 1; point <= 100; point++) {
        long leftBehind = (round > 1 ? 1L : 0L) + (round > 4 ? 2L : 0L);
        choice.count(new FailurePointId(point), point * 8L + leftBehind);
      }
    }

    assertThat(choice.withOtherStores().stream().map(Occurrence::number)).contains(2L, 5L);
  }

  /** Each mistake leaves a store behind at all failure points, in ever other combinations. */
  @Test
  void whatManyMistakesLeaveBehindShouldNotCrowdOutWhatHappensOnce() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    SplittableRandom random = new SplittableRandom(1);
    long[] mistakes = random.longs(14).toArray();
    long once = random.nextLong();
    for (int round = 0; round <= mistakes.length; round++) {
      long leftBehind = Arrays.stream(mistakes).limit(round).reduce(0, (a, b) -> a ^ b);
      for (long point = 1; point <= 100; point++) {
        boolean isOnce = point == 50 && round == mistakes.length;
        long early = point > 50 && round < mistakes.length ? mistakes[round] : 0;
        choice.count(new FailurePointId(point), leftBehind ^ early ^ (isOnce ? once : 0));
      }
    }

    assertThat(choice.withOtherStores())
        .contains(new Occurrence(new FailurePointId(50), mistakes.length + 1));
  }

  @Test
  void whatTheCampaignAsksForShouldBeAllThatIsJudged() {
    OccurrenceChoice choice = new OccurrenceChoice(wanted(1, 0, 0, 1));
    choice.count(OFTEN, 1);
    choice.count(OFTEN, 2);

    assertThat(choice.withOtherStores()).isEmpty();
    assertThat(choice.later()).isEmpty();
  }

  @Test
  void furtherVisitsShouldBeNewFairAndTheSameForTheSameSeed() {
    OccurrenceChoice choice = counted(DEFAULT);
    choice.later();

    Set<Occurrence> further = choice.further(3, id -> true);
    Set<Occurrence> rest = choice.further(100, id -> true);

    assertThat(numbers(further, OFTEN)).hasSize(3).doesNotContain(1L, 10L);
    Set<Occurrence> all = new HashSet<>(further);
    all.addAll(rest);
    assertThat(all).hasSize(8);
    OccurrenceChoice other = counted(DEFAULT);
    other.later();
    assertThat(other.further(3, id -> true)).isEqualTo(further);
    assertThat(other.further(3, id -> false)).isEmpty();
  }

  @Test
  void otherStoresAtWhatIsJudgedLastShouldBeBehindAllOthers() {
    OccurrenceChoice choice = new OccurrenceChoice(DEFAULT);
    choice.judgeLast(OFTEN);
    for (FailurePointId id : List.of(OFTEN, ONCE)) {
      choice.count(id, USUAL_STORES);
      choice.count(id, USUAL_STORES + id.value());
    }

    assertThat(choice.withOtherStores())
        .containsExactly(new Occurrence(ONCE, 2), new Occurrence(OFTEN, 2));
  }
}
