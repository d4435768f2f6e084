// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static io.powercut.persistency.states.Words.cached;
import static io.powercut.persistency.states.Words.states;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.blame.StoresByHand;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each policy takes of few lines, and what it says about the rest. */
class CrashStatePolicyTest {
  private static Selection oneLineLost(CrashStates states, int fewPrefixes) {
    return new CrashStatePolicy.OneLineLost(fewPrefixes).select(states);
  }

  @Test
  void prefixesAndTearsOfALineShouldBeTakenWhereTheyAreFew() {
    CrashStates states = states(cached(0, 1, 2, 3));

    Selection all = oneLineLost(states, 3);
    assertThat(all.states()).as("one of the tears is a prefix").hasSize(5).doesNotHaveDuplicates();
    assertThat(all.passedOver()).isZero();

    Selection some = oneLineLost(states, 2);
    assertThat(some.states()).hasSize(2).contains(states.everythingLost());
    assertThat(some.passedOver()).as("a prefix and 3 tears").isEqualTo(4);
  }

  /** A flag is cleared and set again, with many stores to the line before that. */
  @Test
  void lastStoreShouldBeLostAloneInALineOfManyPrefixes() {
    StoresByHand memory = new StoresByHand();
    for (int number = 1; number <= 12; number++) {
      memory.store(0, 1, number, 10);
    }
    memory.store(0, 0, 7, 20).store(0, 0, 8, 21);

    Selection some = oneLineLost(memory.states(), 8);

    assertThat(some.states())
        .extracting(state -> List.of(memory.word(state, 0, 0), memory.word(state, 0, 1)))
        .containsExactly(List.of(0L, 0L), List.of(7L, 12L));
    assertThat(some.passedOver()).isEqualTo(14 - 2);
    assertThat(oneLineLost(memory.states(), 1).states()).hasSize(1);
  }

  /** The prefixes go 1, 12, 123, 23, 3 and the tears leave out one of the digits in either way. */
  @Test
  void tearsShouldBeTakenAllOrNone() {
    CrashStates states = states(cached(0, 1, 2, 3), cached(0, 0, 0, 0));

    Selection prefixes = oneLineLost(states, 5);
    assertThat(prefixes.states()).hasSize(5);
    assertThat(prefixes.passedOver()).isEqualTo(6);

    Selection all = oneLineLost(states, 6);
    assertThat(all.states()).as("two more, which are no prefixes").hasSize(7);
    assertThat(all.passedOver()).isZero();
  }

  @Test
  void linesAndStoresThatAreNotLookedAtShouldBeCounted() {
    Step[] steps = new Step[4098];
    Arrays.setAll(steps, index -> cached(0, index + 1L));
    steps[4097] = cached(8, 1);
    CrashStates states = states(steps);

    Selection selection = oneLineLost(states, 1);

    assertThat(selection.states()).hasSize(2);
    assertThat(selection.passedOver())
        .as("2048 stores were forgotten, and of 2050 steps of the line one is taken")
        .isEqualTo(2048 + 2050 - 1);
  }

  @Test
  void allStatesShouldBeTakenWhereFewLinesHaveAChoice() {
    CrashStates states = states(cached(0, 1), cached(8, 0));

    Selection selection = new CrashStatePolicy.Exhaustive(1).select(states);
    assertThat(selection.refusal()).isEmpty();
    assertThat(selection.count()).isEqualTo(BigInteger.ONE);
    assertThat(selection.states()).containsExactly(states.everythingLost());

    Selection refused =
        new CrashStatePolicy.Exhaustive(1).select(states(cached(0, 1), cached(8, 2)));
    assertThat(refused.refusal())
        .contains("2 lines are pending, more than the 1 that are explored in full");
    assertThat(refused.count()).isZero();
  }

  @Test
  void oneLineShouldArriveEarlyWhereThereAreTwo() {
    CrashStatePolicy early = new CrashStatePolicy.OneLineEarly();
    CrashStates two = states(cached(0, 1), cached(8, 2));

    assertThat(early.select(two).states()).hasSize(2);
    assertThat(early.select(two).passedOver()).isZero();
    assertThat(early.select(states(cached(0, 1))).states()).isEmpty();
    assertThat(early.select(states(cached(0, 1), cached(8, 0))).states()).isEmpty();
  }

  /** Seven other states: those of a line with eight contents. */
  @Test
  void sampleShouldHaveAsManyStatesAsAreWantedOrAsThereAre() {
    CrashStates states =
        states(
            cached(0, 1),
            cached(0, 2),
            cached(0, 3),
            cached(0, 4),
            cached(0, 5),
            cached(0, 6),
            cached(0, 7));

    for (int wanted = 1; wanted <= 9; wanted++) {
      int number = Math.min(wanted, 7);
      Selection selection = new CrashStatePolicy.Sampled(wanted, 1).select(states);
      assertThat(selection.count()).isEqualTo(BigInteger.valueOf(number));
      assertThat(selection.states()).hasSize(number).doesNotHaveDuplicates();
      assertThat(selection.states()).noneMatch(CrashState::isProgramOrder);
    }
  }

  @Test
  void seedShouldDecideWhichStatesAreInTheSample() {
    CrashStates states =
        states(cached(0, 1), cached(0, 2), cached(0, 3), cached(8, 1), cached(8, 2), cached(8, 3));

    for (int wanted : new int[] {3, 8, 100}) {
      List<CrashState> one =
          new CrashStatePolicy.Sampled(wanted, 1).select(states).states().toList();
      List<CrashState> other =
          new CrashStatePolicy.Sampled(wanted, 2).select(states).states().toList();
      assertThat(one).isNotEqualTo(other);
      assertThat(new CrashStatePolicy.Sampled(wanted, 1).select(states).states()).isEqualTo(one);
    }
  }
}
