// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.blame.StoresByHand;
import io.powercut.persistency.lines.StorePlaces;
import io.powercut.persistency.states.CrashStates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateChoiceTest {
  private static ChoiceOptions options(
      boolean lost, boolean early, int sampled, int exhaustive, int perFailurePoint) {
    return new ChoiceOptions(true, lost, early, sampled, 1, exhaustive, perFailurePoint, 32);
  }

  /** Lines with one store each, of the code with the line's number plus 1. */
  private static CrashStates lines(int first, int count) {
    StoresByHand memory = new StoresByHand();
    for (int line = first; line < first + count; line++) {
      memory.store(line, 0, 1, line + 1);
    }
    return memory.states();
  }

  /** Lets the extra states of the first failure points be spent. */
  private static StateChoice withoutExtra(ChoiceOptions options) {
    StateChoice choice = new StateChoice(options);
    for (int failurePoint = 0; failurePoint < 12; failurePoint++) {
      StoresByHand memory = new StoresByHand();
      for (int line = 0; line < 32; line++) {
        memory.store(line, 0, 1, 1000 + 100 * failurePoint + line);
      }
      assertThat(choice.choose(memory.states(), StateShare.USUAL).states()).isNotEmpty();
    }
    return choice;
  }

  private static List<StatePolicy> policies(List<Candidate> candidates) {
    return candidates.stream().map(Candidate::policy).toList();
  }

  private static UnusualCode unusual(Integer... sites) {
    return new UnusualCode(Set.of(sites), StorePlaces.INSTRUCTIONS);
  }

  private static Set<Integer> lostCode(List<Candidate> candidates) {
    Set<Integer> stacks = new HashSet<>();
    candidates.stream()
        .filter(candidate -> candidate.policy() == StatePolicy.ONE_LINE_LOST)
        .forEach(candidate -> stacks.add(candidate.state().missing().get(0).stack()));
    return stacks;
  }

  @Test
  void shouldTakeEverythingWithinTheBudgetOnce() {
    List<Candidate> candidates =
        new StateChoice(options(true, true, 0, 0, 100))
            .choose(lines(0, 3), StateShare.USUAL)
            .states();

    // Lost: all, 0, 1, 2; with one line early, two are lost.
    assertThat(policies(candidates))
        .containsExactlyInAnyOrder(
            StatePolicy.PERSISTED_ONLY,
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.EARLY_EVICTION,
            StatePolicy.EARLY_EVICTION,
            StatePolicy.EARLY_EVICTION);
    assertThat(candidates).extracting(Candidate::state).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeAStateThatTwoPoliciesChooseOnce() {
    List<Candidate> candidates =
        new StateChoice(options(true, true, 10, 4, 100))
            .choose(lines(0, 2), StateShare.USUAL)
            .states();

    assertThat(candidates).extracting(Candidate::state).doesNotHaveDuplicates().hasSize(3);
  }

  @Test
  void shouldPreferCodeThatWasTriedLeast() {
    StateChoice choice = withoutExtra(options(true, false, 0, 0, 4));
    Set<Integer> tried = new HashSet<>();
    List<Candidate> all = new ArrayList<>();
    for (int failurePoint = 0; failurePoint < 4; failurePoint++) {
      List<Candidate> candidates = choice.choose(lines(0, 12), StateShare.USUAL).states();
      assertThat(candidates).hasSize(4);
      tried.addAll(lostCode(candidates));
      all.addAll(candidates);
    }
    assertThat(tried).hasSize(12);
    assertThat(policies(all)).filteredOn(StatePolicy.PERSISTED_ONLY::equals).hasSize(4);
  }

  @Test
  void shortRunsShouldTryNearlyEverything() {
    StateChoice choice = new StateChoice(options(true, false, 0, 0, 2));
    assertThat(lostCode(choice.choose(lines(0, 12), StateShare.USUAL).states())).hasSize(12);
    assertThat(choice.choose(lines(0, 12), StateShare.USUAL).states()).hasSize(13);
  }

  @Test
  void furtherOccurrencesShouldNotExceedTheBudget() {
    StateChoice choice = new StateChoice(options(true, false, 0, 0, 2));
    assertThat(choice.choose(lines(0, 12), StateShare.FURTHER).states()).hasSize(2);
  }

  @Test
  void theBudgetShouldNotBeExceededForever() {
    StateChoice choice = new StateChoice(options(true, false, 0, 0, 1));
    int total = 0;
    for (int failurePoint = 0; failurePoint < 20; failurePoint++) {
      StoresByHand memory = new StoresByHand();
      for (int line = 0; line < 32; line++) {
        memory.store(line, 0, 1, 100 * failurePoint + line + 1);
      }
      total += choice.choose(memory.states(), StateShare.USUAL).states().size();
    }
    assertThat(total).isEqualTo(20 + 128);
  }

  @Test
  void shouldChooseTheSameAgain() {
    ChoiceOptions options = options(true, true, 5, 0, 6);
    StateChoice one = new StateChoice(options);
    StateChoice other = new StateChoice(options);
    for (int failurePoint = 0; failurePoint < 5; failurePoint++) {
      assertThat(one.choose(lines(failurePoint, 9), StateShare.USUAL).states())
          .isEqualTo(other.choose(lines(failurePoint, 9), StateShare.USUAL).states());
    }
  }

  @Test
  void shouldChooseNothingWhereNothingIsPending() {
    assertThat(
            new StateChoice(options(true, true, 5, 5, 6))
                .choose(lines(0, 0), StateShare.USUAL)
                .states())
        .isEmpty();
  }

  @Test
  void shouldExploreInFullWhereFewLinesArePending() {
    StateChoice choice = new StateChoice(options(false, false, 0, 4, 1000));
    assertThat(choice.choose(lines(0, 4), StateShare.USUAL).states()).hasSize(15);
    assertThat(choice.choose(lines(0, 5), StateShare.USUAL).states()).hasSize(1);
  }

  @Test
  void everyPolicyShouldGetItsShare() {
    StateChoice choice = withoutExtra(options(true, true, 8, 12, 4));
    List<StatePolicy> all = new ArrayList<>();
    for (int failurePoint = 0; failurePoint < 16; failurePoint++) {
      all.addAll(policies(choice.choose(lines(0, 8), StateShare.USUAL).states()));
    }

    for (StatePolicy policy :
        List.of(
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.EARLY_EVICTION,
            StatePolicy.SAMPLED,
            StatePolicy.EXHAUSTIVE)) {
      assertThat(all).as(policy.toString()).filteredOn(policy::equals).hasSize(12);
    }
  }

  @Test
  void whatThePoliciesDidNotGetShouldBeCounted() {
    Candidates candidates =
        withoutExtra(options(true, true, 5, 12, 4)).choose(lines(0, 8), StateShare.USUAL);

    long exhaustive = (1 << 8) - 1;
    assertThat(candidates.states()).hasSize(4);
    assertThat(candidates.left().get(StatePolicy.EXHAUSTIVE)).isEqualTo(exhaustive - 4);
    assertThat(candidates.left()).doesNotContainKey(StatePolicy.PERSISTED_ONLY);
    for (StatePolicy policy :
        List.of(StatePolicy.ONE_LINE_LOST, StatePolicy.EARLY_EVICTION, StatePolicy.SAMPLED)) {
      long taken = policies(candidates.states()).stream().filter(policy::equals).count();
      long promised = policy == StatePolicy.SAMPLED ? 5 : 8;
      assertThat(candidates.left().get(policy)).isEqualTo(promised - taken);
    }
    assertThat(
            new StateChoice(options(true, true, 5, 12, 300))
                .choose(lines(0, 8), StateShare.USUAL)
                .left())
        .isEmpty();
  }

  @Test
  void startUpShouldGetTheSmallestShare() {
    StateChoice choice = new StateChoice(options(true, true, 0, 0, 8));

    assertThat(choice.choose(lines(0, 12), StateShare.START_UP).states()).hasSize(2);
    assertThat(choice.choose(lines(0, 12), StateShare.USUAL).states()).hasSizeGreaterThan(8);
  }

  @Test
  void lastOccurrencesShouldGetOneStateAndInLongRunsNone() {
    StateChoice choice = new StateChoice(options(true, true, 0, 0, 8));
    int total = 0;
    for (int failurePoint = 0; failurePoint < 100; failurePoint++) {
      int taken = choice.choose(lines(0, 3), StateShare.LAST).states().size();
      assertThat(taken).isLessThanOrEqualTo(1);
      total += taken;
    }
    assertThat(total).isEqualTo(16);
  }

  /** Three places left something in three lines each. */
  @Test
  void theEndShouldLoseWhatEachPlaceLeftTogetherAndAlone() {
    StoresByHand memory = new StoresByHand();
    for (int line = 0; line < 9; line++) {
      memory.store(line, 0, 1, 1 + line % 3);
    }
    StateChoice choice = withoutExtra(options(true, true, 0, 0, 1));

    List<Candidate> candidates = choice.choose(memory.states(), StateShare.END).states();

    assertThat(policies(candidates)).filteredOn(StatePolicy.ONE_PLACE_LOST::equals).hasSize(3);
    assertThat(candidates)
        .filteredOn(candidate -> candidate.policy() == StatePolicy.ONE_PLACE_LOST)
        .allSatisfy(candidate -> assertThat(candidate.state().differences()).hasSize(3));
    assertThat(policies(candidates)).filteredOn(StatePolicy.ONE_LINE_LOST::equals).hasSize(9);
  }

  /** Code that was tried as often as the rest has a store in flight that it usually persists. */
  @Test
  void lossOfAnUnusualStoreShouldComeBeforeThatOfOthers() {
    StateChoice choice = withoutExtra(options(true, false, 0, 0, 2));
    for (int failurePoint = 0; failurePoint < 8; failurePoint++) {
      assertThat(choice.choose(lines(0, 8), StateShare.USUAL).states()).isNotEmpty();
    }

    List<Candidate> candidates = choice.choose(lines(0, 8), StateShare.USUAL, unusual(6)).states();

    assertThat(lostCode(candidates)).containsExactly(6);
  }

  /** What many mistakes left behind before is in flight at all places from then on. */
  @Test
  void lossOfTheLastUnusualStoreShouldComeFirst() {
    StateChoice choice = withoutExtra(options(true, false, 0, 0, 3));

    List<Candidate> candidates =
        choice.choose(lines(0, 8), StateShare.USUAL, unusual(2, 3, 6, 7)).states();

    assertThat(candidates.get(0).policy()).isEqualTo(StatePolicy.PERSISTED_ONLY);
    assertThat(lostCode(candidates.subList(1, 3))).containsExactlyInAnyOrder(6, 7);
  }

  /** 1,400 lines of one code and 100 of another: some are looked at, and all are counted. */
  @Test
  void allOfVeryManyLinesShouldBeCounted() {
    StoresByHand memory = new StoresByHand(1500);
    for (int line = 0; line < 1500; line++) {
      memory.store(line, 0, 1, line < 1400 ? 1 : 2);
    }
    for (int budget : new int[] {60, 200}) {
      Candidates candidates =
          new StateChoice(options(true, true, 2, 0, budget))
              .choose(memory.states(), StateShare.FURTHER);

      assertThat(candidates.states()).hasSize(budget);
      List<StatePolicy> policies = policies(candidates.states());
      assertThat(policies.get(0)).isEqualTo(StatePolicy.PERSISTED_ONLY);
      assertThat(Collections.frequency(policies, StatePolicy.ONE_PLACE_LOST)).isEqualTo(2);
      assertThat(Collections.frequency(policies, StatePolicy.SAMPLED)).isEqualTo(2);
      int lost = Collections.frequency(policies, StatePolicy.ONE_LINE_LOST);
      int early = Collections.frequency(policies, StatePolicy.EARLY_EVICTION);
      assertThat(candidates.left())
          .containsOnlyKeys(StatePolicy.ONE_LINE_LOST, StatePolicy.EARLY_EVICTION)
          .containsEntry(StatePolicy.ONE_LINE_LOST, 1500L - lost)
          .containsEntry(StatePolicy.EARLY_EVICTION, 1500L - early);
    }
  }

  @Test
  void whatWasNotTakenShouldBeCounted() {
    Candidates candidates =
        new StateChoice(options(true, true, 0, 0, 4)).choose(lines(0, 6), StateShare.FURTHER);

    assertThat(candidates.states()).hasSize(4);
    // All but one of 6 lines lost, and one of them lost: 12 states, of which 3 were taken.
    assertThat(candidates.left().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(9);
  }

  /** One place left something in all of very many lines but one: to lose that is also early. */
  @Test
  void stateOfTwoPoliciesShouldNotBeCountedAsLeftByEither() {
    StoresByHand memory = new StoresByHand();
    for (int line = 0; line < 60; line++) {
      memory.store(line, 0, 1, line < 59 ? 1 : 2);
    }
    Candidates candidates =
        new StateChoice(options(true, true, 0, 0, 1)).choose(memory.states(), StateShare.END);

    List<Integer> sizes =
        candidates.states().stream().map(one -> one.state().differences().size()).toList();
    assertThat(sizes).hasSize(48).contains(1, 59, 60);
    assertThat(candidates.left())
        .containsOnlyKeys(StatePolicy.ONE_LINE_LOST, StatePolicy.EARLY_EVICTION)
        .containsEntry(StatePolicy.ONE_LINE_LOST, 60L - Collections.frequency(sizes, 1))
        .containsEntry(StatePolicy.EARLY_EVICTION, 60L - Collections.frequency(sizes, 59));
  }

  @Test
  void longRunShouldTryOneStateAtEachSecondOfItsLaterPlaces() {
    StateChoice choice = withoutExtra(options(true, true, 0, 0, 4));
    List<Integer> taken = new ArrayList<>();
    List<StatePolicy> last = new ArrayList<>();
    for (int place = 12; place < 1000; place++) {
      List<Candidate> states = choice.choose(lines(0, 16), StateShare.USUAL).states();
      taken.add(states.size());
      last.addAll(place < 500 ? List.of() : policies(states));
    }
    assertThat(taken.get(0)).isEqualTo(4);
    assertThat(taken.stream().mapToInt(Integer::intValue).sum())
        .as("32 whole shares of 4, and half a state for each place, less those of 12 places")
        .isEqualTo(32 * 4 + 1000 / 2 - 12 * 4);
    assertThat(taken.subList(500, 600)).containsOnly(0, 1);
    for (StatePolicy policy :
        List.of(
            StatePolicy.PERSISTED_ONLY, StatePolicy.ONE_LINE_LOST, StatePolicy.EARLY_EVICTION)) {
      assertThat(last).as(policy.toString()).filteredOn(policy::equals).hasSizeBetween(80, 86);
    }
    Candidates none = choice.choose(lines(0, 16), StateShare.USUAL);
    assertThat(none.states()).isEmpty();
    assertThat(none.left())
        .as("at least so many")
        .containsEntry(StatePolicy.PERSISTED_ONLY, 1L)
        .containsEntry(StatePolicy.ONE_LINE_LOST, 16L)
        .containsEntry(StatePolicy.EARLY_EVICTION, 16L);
    assertThat(choice.choose(lines(0, 16), StateShare.USUAL, unusual(3)).states())
        .as("a store is in flight that usually is not")
        .hasSize(4);
    assertThat(choice.choose(lines(0, 16), StateShare.END).states())
        .as("the end of the run is not there a second time")
        .hasSizeGreaterThan(8);
  }

  @Test
  void furtherOccurrencesShouldGetFewWholeShares() {
    StateChoice choice = StateChoice.ofFurther(options(true, true, 0, 0, 8));
    List<Integer> taken = new ArrayList<>();
    for (int place = 0; place < 160; place++) {
      taken.add(choice.choose(lines(0, 16), StateShare.FURTHER).states().size());
    }
    assertThat(taken.subList(0, 8)).containsOnly(8);
    assertThat(taken.stream().mapToInt(Integer::intValue).sum()).isEqualTo(8 * 8 + 160);
  }
}
