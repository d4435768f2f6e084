package io.powercut.orchestrator.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.campaign.CrashStatesSection;
import io.powercut.persistency.states.CrashStates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StateChoiceTest {
  private static CrashStatesSection section(
      boolean lost, boolean early, int sampled, int exhaustive, int perFailurePoint) {
    return new CrashStatesSection(
        true, true, lost, early, sampled, 1, exhaustive, perFailurePoint, false, Optional.empty());
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
  private static StateChoice withoutExtra(CrashStatesSection section) {
    StateChoice choice = new StateChoice(section);
    for (int failurePoint = 0; failurePoint < 40; failurePoint++) {
      StoresByHand memory = new StoresByHand();
      for (int line = 0; line < 32; line++) {
        memory.store(line, 0, 1, 1000 + 100 * failurePoint + line);
      }
      assertThat(choice.choose(memory.states())).isNotEmpty();
    }
    return choice;
  }

  private static List<StatePolicy> policies(List<Candidate> candidates) {
    return candidates.stream().map(Candidate::policy).toList();
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
        new StateChoice(section(true, true, 0, 0, 100)).choose(lines(0, 3));

    // Lost: all, 0, 1, 2; with one line early, two are lost.
    assertThat(policies(candidates))
        .containsExactlyInAnyOrder(
            StatePolicy.GUARANTEED,
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.ONE_LINE_LOST,
            StatePolicy.ONE_LINE_EARLY,
            StatePolicy.ONE_LINE_EARLY,
            StatePolicy.ONE_LINE_EARLY);
    assertThat(candidates).extracting(Candidate::state).doesNotHaveDuplicates();
  }

  @Test
  void shouldTakeAStateThatTwoPoliciesChooseOnce() {
    List<Candidate> candidates =
        new StateChoice(section(true, true, 10, 4, 100)).choose(lines(0, 2));

    assertThat(candidates).extracting(Candidate::state).doesNotHaveDuplicates().hasSize(3);
  }

  @Test
  void shouldPreferCodeThatWasTriedLeast() {
    StateChoice choice = withoutExtra(section(true, false, 0, 0, 4));
    Set<Integer> tried = new HashSet<>();
    List<Candidate> all = new ArrayList<>();
    for (int failurePoint = 0; failurePoint < 4; failurePoint++) {
      List<Candidate> candidates = choice.choose(lines(0, 12));
      assertThat(candidates).hasSize(4);
      tried.addAll(lostCode(candidates));
      all.addAll(candidates);
    }
    assertThat(tried).hasSize(12);
    assertThat(policies(all)).filteredOn(StatePolicy.GUARANTEED::equals).hasSize(4);
  }

  @Test
  void shortRunsShouldTryNearlyEverything() {
    StateChoice choice = new StateChoice(section(true, false, 0, 0, 2));
    assertThat(lostCode(choice.choose(lines(0, 12)))).hasSize(12);
    assertThat(choice.choose(lines(0, 12))).hasSize(13);
  }

  @Test
  void theBudgetShouldNotBeExceededForever() {
    StateChoice choice = new StateChoice(section(true, false, 0, 0, 1));
    int total = 0;
    for (int failurePoint = 0; failurePoint < 20; failurePoint++) {
      StoresByHand memory = new StoresByHand();
      for (int line = 0; line < 32; line++) {
        memory.store(line, 0, 1, 100 * failurePoint + line + 1);
      }
      total += choice.choose(memory.states()).size();
    }
    assertThat(total).isEqualTo(20 + 128);
  }

  @Test
  void shouldChooseTheSameAgain() {
    CrashStatesSection section = section(true, true, 5, 0, 6);
    StateChoice one = new StateChoice(section);
    StateChoice other = new StateChoice(section);
    for (int failurePoint = 0; failurePoint < 5; failurePoint++) {
      assertThat(one.choose(lines(failurePoint, 9)))
          .isEqualTo(other.choose(lines(failurePoint, 9)));
    }
  }

  @Test
  void shouldChooseNothingWhereNothingIsPending() {
    assertThat(new StateChoice(section(true, true, 5, 5, 6)).choose(lines(0, 0))).isEmpty();
  }

  @Test
  void shouldExploreInFullWhereFewLinesArePending() {
    StateChoice choice = new StateChoice(section(false, false, 0, 4, 1000));
    assertThat(choice.choose(lines(0, 4))).hasSize(15);
    assertThat(choice.choose(lines(0, 5))).hasSize(1);
  }
}
