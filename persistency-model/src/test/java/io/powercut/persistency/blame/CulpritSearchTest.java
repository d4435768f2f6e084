// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Of a copy in two lines, any part without the others is wrong, in whichever line it is. */
  @Test
  void shouldNameAnotherPartOfACopyThatIsInAllLines() {
    memory.store(0, 0, 1, 1).store(0, 1, 2, 2).store(1, 0, 3, 3).store(1, 1, 4, 4);
    Predicate<CrashState> isTorn =
        state -> {
          long there =
              Stream.of(
                      memory.word(state, 0, 0),
                      memory.word(state, 0, 1),
                      memory.word(state, 1, 0),
                      memory.word(state, 1, 1))
                  .filter(word -> word != 0)
                  .count();
          return there != 0 && there != 4;
        };
    CrashState lacksLast =
        new CrashStatePolicy.OneLineLost(8)
            .select(memory.states())
            .states()
            .filter(state -> memory.word(state, 1, 0) != 0 && memory.word(state, 1, 1) == 0)
            .findFirst()
            .orElseThrow();

    CulpritSearch search = new CulpritSearch(memory.states(), isTorn, MANY);
    Culprit culprit = search.search(lacksLast);

    assertThat(stacks(culprit.lost())).containsExactly(4);
    assertThat(culprit.arrived()).isEmpty();
    assertThat(search.otherPart(culprit).map(there -> there.store().stack())).contains(3);
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

  /** Recovery succeeds with one of them lost, so neither alone is the cause. */
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
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ANOTHER_STORE);
  }

  /** The log may end before both have persisted, and its beginning is as much in flight. */
  @Test
  void twoWordsThatAnUndoLogHasShouldNotHaveToBeOne() {
    memory.store(2, 0, 1, 5).store(0, 0, 7, 10).store(1, 0, 7, 20).store(2, 0, 0, 30);
    Predicate<CrashState> differ =
        state ->
            memory.word(state, 2, 0) == 0 && memory.word(state, 0, 0) != memory.word(state, 1, 0);
    CrashState failing =
        CrashState.of(List.of(memory.states().lines().get(1).guaranteed().orElseThrow()));
    Culprit culprit = search(failing, differ);

    assertThat(stacks(culprit.causes())).containsExactly(20);
    assertThat(culprit.arrived()).isEmpty();
    assertThat(culprit.isAtomicity()).isFalse();
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
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ANOTHER_STORE);
  }

  /** A slot is valid if its pointer is not that of the one before it: the key has to come last. */
  @Test
  void slotsThatShiftInTheWrongOrderShouldNotHaveToBeOne() {
    memory.store(0, 2, 4, 10).store(0, 3, 400, 11);
    memory.store(0, 0, 3, 20).store(0, 1, 300, 21);
    Predicate<CrashState> fails =
        state ->
            (memory.word(state, 0, 2) == 4 && memory.word(state, 0, 3) == 0)
                || (memory.word(state, 0, 0) == 3 && memory.word(state, 0, 3) == 0);
    Culprit culprit = search(torn(fails), fails);

    assertThat(stacks(culprit.causes())).containsExactly(11);
    assertThat(stacks(culprit.arrived())).containsExactly(10);
    assertThat(culprit.isAtomicity()).isFalse();
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

  /** Which of the two words comes first does not matter: none may be lost before the flag. */
  @Test
  void aLaterFlagShouldBeNamedBeforeAnEarlierWordOfTheSameLine() {
    memory.store(0, 0, 7, 10).store(0, 1, 7, 11).store(1, 0, 1, 20);
    Predicate<CrashState> fails =
        state ->
            memory.word(state, 1, 0) != 0
                && memory.word(state, 0, 0) != 0
                && memory.word(state, 0, 1) == 0;
    Culprit culprit = search(torn(fails), fails);

    assertThat(stacks(culprit.causes())).containsExactly(11);
    assertThat(stacks(culprit.arrived())).containsExactly(20, 10);
    assertThat(culprit.isAtomicity()).isFalse();
    assertThat(
            stacks(culprit.withoutArrivedBefore(culprit.lost().get(0).store().ordinal()).arrived()))
        .containsExactly(20);
  }

  @Test
  void shouldSayThatItWasCutShort() {
    fill();
    Predicate<CrashState> fails = state -> memory.word(state, 4, 1) == 0;
    Culprit culprit = new CulpritSearch(memory.states(), fails, 3).search(everythingLost());

    assertThat(culprit.isSmallest()).isFalse();
    assertThat(culprit.state()).matches(fails, "fails");
  }

  // Very many lines

  /** With a store each, of the stack with the line's number plus 1. */
  private static StoresByHand many(int lines) {
    StoresByHand many = new StoresByHand(lines);
    for (int line = 0; line < lines; line++) {
      many.store(line, 0, 7, line + 1);
    }
    return many;
  }

  /** The first was stored to long ago, the others just now. */
  @ParameterizedTest
  @ValueSource(ints = {3, 777, 1499})
  void oneLineOfVeryManyShouldBeFound(int line) {
    StoresByHand many = many(1500);
    CrashState failing = many.states().everythingLost();
    assertThat(failing.isFew()).isFalse();
    Culprit culprit =
        new CulpritSearch(many.states(), state -> many.word(state, line, 0) == 0, MANY)
            .search(failing);

    assertThat(stacks(culprit.lost())).containsExactly(line + 1);
    assertThat(stacks(culprit.causes())).containsExactly(line + 1);
    assertThat(culprit.arrived()).isEmpty();
    assertThat(culprit.isSmallest()).isTrue();
  }

  @Test
  void oneLineOfVeryManyShouldHaveArrivedTooEarly() {
    StoresByHand many = many(1500);
    CrashState failing =
        many.states().everythingLostBut(Set.of(many.states().lines().get(40).location()));
    Culprit culprit =
        new CulpritSearch(
                many.states(),
                state -> many.word(state, 777, 0) == 0 && many.word(state, 40, 0) != 0,
                MANY)
            .search(failing);

    assertThat(stacks(culprit.lost())).containsExactly(778);
    assertThat(stacks(culprit.arrived())).containsExactly(41);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  @Test
  void someOfVeryManyLinesShouldBeNamedWhereAllAreNeeded() {
    StoresByHand many = many(10_000);
    Culprit culprit =
        new CulpritSearch(many.states(), state -> state.size() > 9_000, 12)
            .search(many.states().everythingLost());

    assertThat(culprit.state().isFew()).isFalse();
    assertThat(culprit.lost()).hasSize(16);
    assertThat(stacks(culprit.lost())).startsWith(1, 2, 3);
    assertThat(culprit.causes()).isEmpty();
    assertThat(culprit.isSmallest()).isFalse();
  }

  // Parts of one store

  private CrashState torn(Predicate<CrashState> fails) {
    return new CrashStatePolicy.OneLineLost(8)
        .select(memory.states())
        .states()
        .filter(fails)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTornStoreShouldHaveToBeOne() {
    memory.wide(0, 0, 10, 0, 7, 7);
    Predicate<CrashState> differ = state -> memory.word(state, 0, 0) != memory.word(state, 0, 1);
    Culprit culprit = search(torn(differ), differ);

    assertThat(stacks(culprit.lost())).containsExactly(10);
    assertThat(culprit.lost().get(0).isTorn()).isTrue();
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ITS_PARTS);
  }

  @Test
  void aTornStoreOfVeryManyLinesShouldHaveToBeOne() {
    StoresByHand many = new StoresByHand(2000);
    long[] words = new long[1900 * 8];
    Arrays.fill(words, 7);
    many.store(1950, 0, 3, 5).wide(0, 0, 10, 0, words);
    Predicate<CrashState> differ =
        state ->
            IntStream.range(1, 1900)
                .anyMatch(line -> many.word(state, line, 0) != many.word(state, 0, 0));
    CrashState torn =
        CrashState.of(List.of(many.states().lines().get(900).guaranteed().orElseThrow()));
    Culprit culprit = new CulpritSearch(many.states(), differ, MANY).search(torn);

    assertThat(many.states().isFew()).isFalse();
    assertThat(stacks(culprit.lost())).containsExactly(10);
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ITS_PARTS);
  }

  @Test
  void aTornStoreShouldHaveToBeOneWithWhatAnnouncesIt() {
    memory.store(0, 4, 7, 10).wide(0, 0, 20, 0, 7, 7);
    Predicate<CrashState> differ =
        state ->
            memory.word(state, 0, 0) != memory.word(state, 0, 4)
                || memory.word(state, 0, 1) != memory.word(state, 0, 4);
    Culprit culprit =
        search(torn(state -> differ.test(state) && memory.word(state, 0, 0) == 7), differ);

    assertThat(stacks(culprit.lost())).containsExactly(20);
    assertThat(stacks(culprit.arrived())).containsExactly(10);
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ANOTHER_STORE);
  }

  /** Two fields are changed, and an undo log has what they held. */
  @Test
  void anEntryOfAnUndoLogShouldBeTheCauseOfWhatItProtects() {
    memory.store(0, 0, 7, 10).store(1, 0, 7, 20).store(2, 0, 7, 30);
    Predicate<CrashState> fails =
        state ->
            memory.word(state, 0, 0) != 7 && memory.word(state, 1, 0) != memory.word(state, 2, 0);
    Culprit culprit =
        search(
            CrashState.of(
                List.of(
                    memory.states().lines().get(0).guaranteed().orElseThrow(),
                    memory.states().lines().get(2).guaranteed().orElseThrow())),
            fails);

    assertThat(stacks(culprit.lost())).containsExactly(10, 30);
    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).containsExactly(20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  /** The words of a page are all alike, and so are those of the copy that is written before it. */
  private Culprit searchPageWithCopy(Predicate<CrashState> fails) {
    memory.wide(0, 0, 10, 0, 7, 7).wide(1, 0, 20, 0, 7, 7);
    CrashStates states = memory.states();
    return search(
        CrashState.of(
            states.lines().stream().map(line -> line.holding(half(7)).orElseThrow()).toList()),
        fails);
  }

  private static byte[] half(int word) {
    byte[] line = new byte[64];
    line[0] = (byte) word;
    return line;
  }

  private boolean isTorn(CrashState state, int line) {
    return memory.word(state, line, 0) != memory.word(state, line, 1);
  }

  @Test
  void theCopyOfAPageShouldBeTheCauseOfItsTear() {
    Culprit culprit = searchPageWithCopy(state -> isTorn(state, 0) && isTorn(state, 1));

    assertThat(stacks(culprit.lost())).containsExactly(10, 20);
    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).containsExactly(20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  @Test
  void aCopyWithoutWhichRecoveryAlsoFailsBeforeThePageShouldBeInvolved() {
    Culprit culprit =
        searchPageWithCopy(state -> isTorn(state, 0) && memory.word(state, 1, 1) != 7);

    assertThat(stacks(culprit.lost())).containsExactly(10, 20);
    assertThat(culprit.causes()).isEmpty();
  }

  @Test
  void neitherOfTwoStoresThatOnlyHarmTogetherShouldBeACause() {
    memory.store(0, 0, 7, 10).store(1, 0, 7, 20).store(2, 0, 7, 30);
    Predicate<CrashState> fails =
        state ->
            memory.word(state, 0, 0) != 7
                && memory.word(state, 1, 0) == 7
                && memory.word(state, 2, 0) != 7;
    Culprit culprit =
        search(
            CrashState.of(
                List.of(
                    memory.states().lines().get(0).guaranteed().orElseThrow(),
                    memory.states().lines().get(2).guaranteed().orElseThrow())),
            fails);

    assertThat(stacks(culprit.lost())).containsExactly(10, 30);
    assertThat(culprit.causes()).isEmpty();
  }

  @Test
  void aStoreWhoseLossIsAsBadAsItsTearShouldNotHaveToBeOne() {
    memory.wide(0, 0, 10, 0, 7, 7);
    Predicate<CrashState> fails = state -> memory.word(state, 0, 1) == 0;
    Culprit culprit = search(torn(fails), fails);

    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  @Test
  void aStoreToTwoLinesShouldHaveToBeOne() {
    memory.wide(0, 7, 10, 0, 7, 7);
    Predicate<CrashState> differ = state -> memory.word(state, 0, 7) != memory.word(state, 1, 0);
    Culprit culprit = search(torn(differ), differ);

    assertThat(stacks(culprit.lost())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).containsExactly(10);
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ITS_PARTS);
  }

  /** A log entry is torn, but it counts only from the flag on: it is not flushed before that. */
  @Test
  void aTornStoreThatALaterOneVouchesForShouldNotHaveToBeOne() {
    memory.wide(0, 0, 10, 0, 7, 7).store(1, 0, 1, 20);
    Predicate<CrashState> differ =
        state ->
            memory.word(state, 1, 0) != 0 && memory.word(state, 0, 0) != memory.word(state, 0, 1);
    Culprit culprit = search(torn(differ), differ);

    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).startsWith(20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  /** In between something else is persisted, such as the number of nodes in use. */
  @Test
  void aTornStoreThatALaterOneVouchesForShouldNotHaveToBeOneWhateverPersistedSince() {
    memory.wide(0, 0, 10, 0, 7, 7).store(2, 0, 1, 30).flush(2).fence().store(1, 0, 1, 20);
    Predicate<CrashState> differ = state -> memory.word(state, 1, 0) != 0 && isTorn(state);
    Culprit culprit = search(torn(differ), differ);

    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).startsWith(20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  /** What persisted since relies on it, and so does what is stored later. */
  @Test
  void aTornStoreThatWhatPersistedSinceReliesOnShouldHaveToBeOne() {
    memory.wide(0, 0, 10, 0, 7, 7).store(2, 0, 1, 30).flush(2).fence().store(1, 0, 1, 20);
    Culprit culprit = search(torn(this::isTorn), this::isTorn);

    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ITS_PARTS);
  }

  /** With a checksum, say: no part may be lost alone, nor may two of three lines. */
  @Test
  void aStoreToManyLinesShouldHaveToBeOne() {
    memory.wide(0, 7, 10, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
    Predicate<CrashState> fails =
        state ->
            memory.word(state, 0, 7) != memory.word(state, 1, 7)
                || memory.word(state, 1, 7) != memory.word(state, 2, 0);
    Culprit culprit = search(torn(fails), fails);

    assertThat(stacks(culprit.lost())).containsOnly(10);
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ITS_PARTS);
  }

  /** A commit mark is not flushed before its data are stored, which are flushed in time. */
  @Test
  void aMarkThatALaterStoreIsTornBehindShouldBeTheCause() {
    memory.store(3, 0, 1, 10).wide(0, 0, 20, 0, 7, 7);
    Predicate<CrashState> fails = state -> memory.word(state, 3, 0) == 0 && isTorn(state);
    Culprit culprit = search(CrashState.all(List.of(torn(this::isTorn), lost(3))), fails);

    assertThat(stacks(culprit.lost())).containsExactly(10, 20);
    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).containsExactly(20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  /** The same where the data come first: a flush behind them is too late, whatever the mark is. */
  @Test
  void aStoreThatIsTornBeforeWhatElseIsLostShouldHaveToBeOne() {
    memory.wide(0, 0, 20, 0, 7, 7).store(3, 0, 1, 10);
    Predicate<CrashState> fails = state -> memory.word(state, 3, 0) == 0 && isTorn(state);
    Culprit culprit = search(CrashState.all(List.of(torn(this::isTorn), lost(3))), fails);

    assertThat(stacks(culprit.lost())).containsExactly(20, 10);
    assertThat(culprit.whole()).isEqualTo(Culprit.Whole.ITS_PARTS);
  }

  /** It is as bad to lose all of it while the other is lost: then a flush is missing. */
  @Test
  void aStoreWhoseLossIsAsBadBesideTheOthersShouldNotHaveToBeOne() {
    memory.store(3, 0, 1, 10).wide(0, 0, 20, 0, 7, 7);
    Predicate<CrashState> fails =
        state -> isTorn(state) || (memory.word(state, 3, 0) == 0 && memory.word(state, 0, 0) == 0);
    Culprit culprit = search(CrashState.all(List.of(lost(0), lost(3))), fails);

    assertThat(stacks(culprit.causes())).containsExactly(20);
    assertThat(stacks(culprit.lost())).containsExactly(20, 10);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  private boolean isTorn(CrashState state) {
    return memory.word(state, 0, 0) != memory.word(state, 0, 1);
  }

  private CrashState lost(int line) {
    return CrashState.of(
        memory.states().lostLines().stream()
            .filter(lost -> Location.offset(lost.location()) == 64L * line)
            .toList());
  }

  // Stores past the cache, in no order

  @Test
  void aStorePastTheCacheShouldBeLostAlone() {
    int past = StoreFlags.NON_TEMPORAL;
    memory.wide(0, 0, 10, past, 1).wide(0, 1, 20, past, 2).wide(0, 2, 30, past, 3);
    Predicate<CrashState> fails =
        state -> memory.word(state, 0, 1) == 0 && memory.word(state, 0, 0) != 0;
    Culprit culprit =
        search(
            new CrashStatePolicy.Exhaustive(1)
                .select(memory.states())
                .states()
                .filter(fails)
                .findFirst()
                .orElseThrow(),
            fails);

    assertThat(stacks(culprit.causes())).containsExactly(20);
    assertThat(stacks(culprit.lost())).containsExactly(20);
    assertThat(culprit.state().missing()).hasSize(1);
  }

  @Test
  void aStoreThatAnotherOneHidesShouldBeFound() {
    int past = StoreFlags.NON_TEMPORAL;
    memory.wide(0, 0, 10, past, 1).wide(0, 1, 20, past, 2).wide(0, 2, 30, past, 3);
    // Of the second and the third, one is there; as if the first were the only one that may go.
    Predicate<CrashState> fails =
        state -> memory.word(state, 0, 1) == 0 && memory.word(state, 0, 2) != 0;
    CrashState failing =
        new CrashStatePolicy.Exhaustive(1)
            .select(memory.states())
            .states()
            .filter(fails)
            .filter(state -> memory.word(state, 0, 0) == 0)
            .findFirst()
            .orElseThrow();
    Culprit culprit = search(failing, fails);

    assertThat(stacks(culprit.lost())).containsExactly(20);
    assertThat(stacks(culprit.causes())).containsExactly(20);
  }

  // What arrived

  /** With everything else lost, recovery fails for another reason. */
  @Test
  void whatArrivedShouldBeFoundBesidesAnotherMistake() {
    fill();
    CrashState failing =
        CrashState.of(memory.states().lostLines().stream().filter(line -> isIn(line, 3)).toList());
    Culprit culprit =
        search(
            failing,
            state ->
                (memory.word(state, 3, 0) == 0 && memory.word(state, 6, 1) != 0)
                    || (memory.word(state, 8, 0) == 0 && memory.word(state, 9, 0) == 0));

    assertThat(stacks(culprit.lost())).containsExactly(31);
    assertThat(stacks(culprit.arrived())).containsExactly(62);
  }

  /** A log is cleared while two changes that it replays are in flight: that comes too early. */
  @Test
  void theLastOfSeveralThatArrivedShouldBeFoundBesidesAnotherMistake() {
    memory.store(3, 0, 1, 31).store(4, 0, 1, 41);
    memory.store(0, 0, 7, 10).store(1, 0, 7, 20).store(2, 0, 1, 30);
    CrashState failing =
        CrashState.of(memory.states().lostLines().stream().filter(line -> isIn(line, 0)).toList());
    Culprit culprit =
        search(
            failing,
            state ->
                (memory.word(state, 0, 0) != memory.word(state, 1, 0)
                        && memory.word(state, 2, 0) != 0)
                    || (memory.word(state, 3, 0) == 0 && memory.word(state, 4, 0) == 0));

    assertThat(stacks(culprit.causes())).containsExactly(10);
    assertThat(stacks(culprit.arrived())).containsExactly(30, 20);
    assertThat(culprit.isAtomicity()).isFalse();
  }

  private static boolean isIn(LineDifference line, int number) {
    return Location.offset(line.location()) == 64L * number;
  }

  @Test
  void oneOfManyStoresToALineShouldHaveArrivedTooEarly() {
    memory.store(0, 0, 7, 10);
    for (int value = 1; value <= 50; value++) {
      memory.store(1, 0, value, 200 + value);
    }
    for (int needed : new int[] {1, 2, 31, 32, 33, 40, 50}) {
      Culprit culprit =
          search(
              allBut(memory.states(), 1),
              state -> memory.word(state, 0, 0) == 0 && memory.word(state, 1, 0) >= needed);
      assertThat(stacks(culprit.lost())).containsExactly(10);
      assertThat(stacks(culprit.arrived())).containsExactly(200 + needed);
    }
  }

  @Test
  void oneOfManyEarlierStoresToTheSameLineShouldHaveArrived() {
    for (int value = 1; value <= 60; value++) {
      memory.store(0, 0, value, 200 + value);
    }
    memory.store(0, 1, 7, 10);
    for (int needed : new int[] {1, 2, 20, 28, 29, 50, 60}) {
      Predicate<CrashState> fails =
          state -> memory.word(state, 0, 1) == 0 && memory.word(state, 0, 0) >= needed;
      Culprit culprit = search(CrashState.of(List.of(last(fails))), fails);
      assertThat(stacks(culprit.lost())).containsExactly(10);
      assertThat(stacks(culprit.arrived())).containsExactly(200 + needed);
    }
  }

  private LineDifference last(Predicate<CrashState> fails) {
    List<LineDifference> steps = memory.states().lines().get(0).steps();
    LineDifference last = steps.get(steps.size() - 1);
    assertThat(CrashState.of(List.of(last))).matches(fails);
    return last;
  }
}
