// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Recoveries that fail for known reasons, among stores that have nothing to do with it. */
class CulpritSearchTest {
  private static final int MANY = 10_000;
  private static final int LOCK = 900;
  private static final int POINTER = 901;
  private static final int UNLOCK = 902;

  private final StoresByHand memory = new StoresByHand();

  /** Ten lines, each with three stores of stacks of its own. */
  private void fill() {
    for (int line = 0; line < 10; line++) {
      for (int word = 0; word < 3; word++) {
        memory.store(line, word, 100 + line, 10 * line + word + 1);
      }
    }
  }

  private CrashState everythingLost() {
    return new CrashStatePolicy.Guaranteed()
        .select(memory.states())
        .states()
        .findFirst()
        .orElseThrow();
  }

  private Culprit search(CrashState failing, Predicate<CrashState> fails) {
    assertThat(failing).matches(fails, "fails");
    return new CulpritSearch(memory.states(), fails, MANY).search(failing);
  }

  private static List<Integer> stacks(List<BlamedStore> stores) {
    return stores.stream().map(blamed -> blamed.store().stack()).toList();
  }

  private static CrashState allBut(CrashStates states, int early) {
    List<LineDifference> lost = states.lostLines();
    return CrashStatePolicy.OneLineEarly.allBut(states, lost, lost.get(early));
  }

  @Test
  void shouldBlameOneStoreOutOfManyThatAreLost() {
    fill();
    Culprit culprit = search(everythingLost(), state -> memory.word(state, 4, 1) == 0);

    assertThat(stacks(culprit.lost())).containsExactly(42);
    assertThat(culprit.arrived()).isEmpty();
    assertThat(culprit.isSmallest()).isTrue();
    assertThat(culprit.lost().get(0).isFlushed()).isFalse();
    assertThat(memory.word(culprit.state(), 4, 0)).isEqualTo(104);
    assertThat(memory.word(culprit.state(), 4, 1)).isZero();
  }

  @Test
  void shouldBlameAllStoresThatHaveToBeLostTogether() {
    fill();
    Culprit culprit =
        search(
            everythingLost(),
            state -> memory.word(state, 2, 2) == 0 && memory.word(state, 7, 0) == 0);

    assertThat(stacks(culprit.lost())).containsExactly(23, 71);
  }

  @Test
  void shouldNameTheStoreThatArrivesBeforeWhatItVouchesFor() {
    fill();
    CrashState flagEarly = allBut(memory.states(), 6);
    Culprit culprit =
        search(flagEarly, state -> memory.word(state, 6, 1) != 0 && memory.word(state, 3, 2) == 0);

    assertThat(stacks(culprit.lost())).containsExactly(33);
    assertThat(stacks(culprit.arrived())).containsExactly(62);
  }

  @Test
  void shouldNameTheStoreThatArrivesInTheSameLine() {
    fill();
    CrashState cut =
        new CrashStatePolicy.OneLineLost(8)
            .select(memory.states())
            .states()
            .filter(state -> memory.word(state, 5, 0) != 0 && memory.word(state, 5, 1) == 0)
            .findFirst()
            .orElseThrow();
    Culprit culprit =
        search(cut, state -> memory.word(state, 5, 0) != 0 && memory.word(state, 5, 1) == 0);

    assertThat(stacks(culprit.lost())).containsExactly(52);
    assertThat(stacks(culprit.arrived())).containsExactly(51);
  }

  @Test
  void shouldTellAFlushWithoutFenceFromNoFlush() {
    memory.store(0, 0, 7, 1).flush(0).store(1, 0, 8, 2);
    Culprit flushed = search(everythingLost(), state -> memory.word(state, 0, 0) == 0);
    Culprit unflushed = search(everythingLost(), state -> memory.word(state, 1, 0) == 0);

    assertThat(flushed.lost().get(0).isFlushed()).isTrue();
    assertThat(unflushed.lost().get(0).isFlushed()).isFalse();

    memory.fence();
    assertThat(memory.states().lines()).hasSize(1);
  }

  /**
   * A lock in the same line as the pointer whose loss matters: without the lock's release the line
   * holds what it holds without all three stores.
   */
  @Test
  void aLockInTheSameLineShouldNotBeBlamed() {
    memory.store(0, 0, 1, LOCK).store(0, 1, 42, POINTER).store(0, 0, 0, UNLOCK);
    Culprit culprit = search(everythingLost(), state -> memory.word(state, 0, 1) == 0);

    assertThat(stacks(culprit.lost())).containsExactly(POINTER);
    assertThat(stacks(culprit.causes())).containsExactly(POINTER);
  }

  /** Taken and released twice: the contents in between repeat. */
  @Test
  void repeatedContentsShouldNotHideTheOrderOfTheStores() {
    memory.store(0, 0, 1, LOCK).store(0, 0, 0, UNLOCK);
    memory.store(0, 0, 1, LOCK).store(0, 1, 42, POINTER).store(0, 0, 0, UNLOCK);
    memory.store(0, 0, 1, LOCK).store(0, 0, 0, UNLOCK);
    Predicate<CrashState> fails = state -> memory.word(state, 0, 1) == 0;
    Culprit culprit = search(everythingLost(), fails);

    assertThat(stacks(culprit.lost())).containsExactly(POINTER);
    assertThat(stacks(culprit.causes())).containsExactly(POINTER);
    assertThat(culprit.arrived()).isEmpty();
  }

  @Test
  void aCauseAmongThousandsOfStoresToItsLineShouldBeFound() {
    for (int value = 1; value <= 1000; value++) {
      memory.store(0, 0, value, LOCK);
    }
    memory.store(0, 1, 42, POINTER);
    for (int value = 1; value <= 1000; value++) {
      memory.store(0, 0, value, UNLOCK);
    }
    Culprit culprit = search(everythingLost(), state -> memory.word(state, 0, 1) == 0);

    assertThat(stacks(culprit.causes())).containsExactly(POINTER);
    assertThat(culprit.isSmallest()).isTrue();
  }

  /** Recovery copes with one of them lost, so neither alone is the cause. */
  @Test
  void storesThatOnlyBreakTogetherShouldBeInvolvedAndNotCauses() {
    fill();
    Culprit culprit =
        search(
            everythingLost(),
            state -> memory.word(state, 2, 2) == 0 && memory.word(state, 7, 0) == 0);

    assertThat(stacks(culprit.lost())).containsExactly(23, 71);
    assertThat(culprit.causes()).isEmpty();
  }

  /** A guard keeps recovery from looking, unless both its words are lost. */
  @Test
  void theStoreThatRepairsTheStateAloneShouldComeFirst() {
    memory.store(0, 0, 1, 10).store(1, 0, 1, 20).store(1, 1, 1, 21);
    Culprit culprit =
        search(
            everythingLost(),
            state -> memory.word(state, 0, 0) == 0 && memory.word(state, 1, 1) == 0);

    assertThat(culprit.lost().get(0))
        .matches(
            first ->
                culprit.state().differences().stream()
                    .filter(line -> line.location() == first.line().location())
                    .noneMatch(line -> line.restoring(first.store()).equals(line)));
    assertThat(stacks(culprit.lost())).containsExactlyInAnyOrder(10, 21);
  }

  @Test
  void twoWordsOfOneRecordShouldHaveToBeOne() {
    memory.store(0, 0, 7, 10).store(1, 0, 7, 20);
    Predicate<CrashState> differ = state -> memory.word(state, 0, 0) != memory.word(state, 1, 0);
    CrashState failing = allBut(memory.states(), 0);
    Culprit culprit = search(failing, differ);

    assertThat(stacks(culprit.lost())).containsExactly(20);
    assertThat(stacks(culprit.arrived())).containsExactly(10);
    assertThat(culprit.isAtomicity()).isTrue();
  }

  @Test
  void twoWordsOfOneRecordInOneLineShouldNotBeSwappedButBeOne() {
    memory.store(0, 0, 7, 10).store(0, 1, 7, 20);
    Predicate<CrashState> differ = state -> memory.word(state, 0, 0) != memory.word(state, 0, 1);
    CrashState failing =
        new CrashStatePolicy.OneLineLost(8)
            .select(memory.states())
            .states()
            .filter(differ)
            .findFirst()
            .orElseThrow();
    Culprit culprit = search(failing, differ);

    assertThat(stacks(culprit.causes())).containsExactly(20);
    assertThat(stacks(culprit.arrived())).containsExactly(10);
    assertThat(culprit.isAtomicity()).isTrue();
  }

  @Test
  void aFlagThatVouchesForDataShouldNotHaveToBeOneWithIt() {
    memory.store(0, 0, 7, 10).store(1, 0, 1, 20);
    CrashState failing = allBut(memory.states(), 1);
    Culprit culprit =
        search(failing, state -> memory.word(state, 1, 0) != 0 && memory.word(state, 0, 0) == 0);

    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).containsExactly(20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  @Test
  void shouldSayThatItWasCutShort() {
    fill();
    Predicate<CrashState> fails = state -> memory.word(state, 4, 1) == 0;
    Culprit culprit = new CulpritSearch(memory.states(), fails, 3).search(everythingLost());

    assertThat(culprit.isSmallest()).isFalse();
    assertThat(culprit.state()).matches(fails, "fails");
  }
}
