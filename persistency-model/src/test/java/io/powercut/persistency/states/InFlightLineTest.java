// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static io.powercut.persistency.states.Words.cached;
import static io.powercut.persistency.states.Words.pastCache;
import static io.powercut.persistency.states.Words.states;
import static io.powercut.persistency.states.Words.string;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What may become of one line, in examples that can be followed by hand. */
class InFlightLineTest {
  private static final int LINE = 64;

  private static InFlightLine line(Step... steps) {
    return states(steps).lines().get(0);
  }

  /** The stores that are missing, by their number in the program from 0. */
  private static List<Long> missing(InFlightLine line, LineDifference difference) {
    long first = line.stores().get(0).ordinal();
    return difference.missing().stream().map(store -> store.ordinal() - first).toList();
  }

  /** The words of the units from the first on. */
  private static List<Long> words(LineDifference difference, int units) {
    ByteBuffer bytes = ByteBuffer.wrap(difference.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    Long[] words = new Long[units];
    Arrays.setAll(words, unit -> bytes.getLong(8 * unit));
    return List.of(words);
  }

  private static List<List<Long>> words(List<LineDifference> differences, int units) {
    return differences.stream().map(difference -> words(difference, units)).toList();
  }

  // Losing one store

  @Test
  void laterCachedStoresShouldBeLostWithACachedOne() {
    InFlightLine line = line(cached(0, 1), cached(1, 2), cached(0, 3));

    assertThat(missing(line, line.losing(line.stores().get(0)))).containsExactly(0L, 1L, 2L);
    assertThat(missing(line, line.losing(line.stores().get(1)))).containsExactly(1L, 2L);
    assertThat(missing(line, line.losing(line.stores().get(2)))).containsExactly(2L);
  }

  @Test
  void laterStoresToTheSameUnitShouldBeLostWithOnePastTheCache() {
    InFlightLine line = line(pastCache(0, 1), pastCache(1, 2), pastCache(0, 3), cached(2, 4));

    assertThat(missing(line, line.losing(line.stores().get(0)))).containsExactly(0L, 2L);
    assertThat(missing(line, line.losing(line.stores().get(1)))).containsExactly(1L);
    assertThat(missing(line, line.losing(line.stores().get(3)))).containsExactly(3L);
  }

  @Test
  void whatACachedStoreTakesAlongShouldTakeMoreAlong() {
    InFlightLine line = line(pastCache(0, 1), cached(0, 2), pastCache(2, 3), cached(2, 4));

    assertThat(missing(line, line.losing(line.stores().get(0)))).containsExactly(0L, 1L, 3L);
    assertThat(missing(line, line.losing(line.stores().get(2)))).containsExactly(2L, 3L);
  }

  @Test
  void losingAPartShouldKeepTheOtherUnitsOfTheStore() {
    InFlightLine line = line(pastCache(0, 1, 2));
    LineDifference torn = line.tears().get(0);

    assertThat(words(torn, 2)).containsExactly(0L, 2L);
    assertThat(line.losing(torn.missing().get(0))).isEqualTo(torn);
    assertThat(line.isTorn(torn.missing().get(0))).isTrue();
    assertThat(line.isTorn(line.stores().get(0))).isFalse();
  }

  /** What comes after both was not made yet. */
  @Test
  void inTheOtherOrderOnlyTheLaterStoreShouldBeThere() {
    InFlightLine line = line(cached(0, 1), cached(1, 2), cached(0, 3), cached(1, 4));
    List<InFlightStore> stores = line.stores();

    assertThat(words(line.inOtherOrder(stores.get(0), stores.get(1)), 2)).containsExactly(0L, 2L);
    assertThat(words(line.inOtherOrder(stores.get(0), stores.get(2)), 2)).containsExactly(3L, 2L);
    assertThat(words(line.inOtherOrder(stores.get(1), stores.get(2)), 2)).containsExactly(3L, 0L);
    assertThat(words(line.inOtherOrder(stores.get(2), stores.get(3)), 2)).containsExactly(1L, 4L);
  }

  // Restoring one store

  @Test
  void earlierCachedStoresShouldBeRestoredWithACachedOne() {
    InFlightLine line = line(cached(0, 1), cached(1, 2), cached(2, 3));
    LineDifference lost = line.guaranteed().orElseThrow();

    assertThat(missing(line, lost.restoring(line.stores().get(0)))).containsExactly(1L, 2L);
    assertThat(missing(line, lost.restoring(line.stores().get(1)))).containsExactly(2L);
    assertThat(lost.restoring(line.stores().get(2)).changesNothing()).isTrue();
  }

  @Test
  void storesPastTheCacheShouldBeRestoredAlone() {
    InFlightLine line = line(pastCache(0, 1), pastCache(1, 2), cached(2, 3));
    LineDifference lost = line.guaranteed().orElseThrow();

    assertThat(missing(line, lost.restoring(line.stores().get(1)))).containsExactly(0L, 2L);
    assertThat(missing(line, lost.restoring(line.stores().get(2)))).containsExactly(0L, 1L);
  }

  @Test
  void earlierStoresToTheSameUnitShouldBeRestoredToo() {
    InFlightLine line = line(cached(1, 1), cached(0, 2), pastCache(0, 3), cached(2, 4));
    LineDifference lost = line.guaranteed().orElseThrow();

    assertThat(missing(line, lost.restoring(line.stores().get(2)))).containsExactly(3L);
  }

  // Prefixes, steps and tears

  @Test
  void lossesShouldEndUnitByUnit() {
    InFlightLine line = line(cached(0, 1), cached(1, 2, 3), cached(0, 1));

    assertThat(words(line.steps(), 3))
        .containsExactly(
            List.of(0L, 0L, 0L), List.of(1L, 0L, 0L), List.of(1L, 2L, 0L), List.of(1L, 2L, 3L));
    assertThat(words(line.prefixes(), 3))
        .as("without the last one nothing changes")
        .containsExactly(List.of(0L, 0L, 0L), List.of(1L, 0L, 0L), List.of(1L, 2L, 0L));
    assertThat(line.mostPrefixes()).isEqualTo(4);
    assertThat(line.prefixes(3)).isPresent();
    assertThat(line.prefixes(2)).isEmpty();
    assertThat(line.prefixes()).allMatch(LineDifference::isPrefix);
  }

  @Test
  void oneUnitOfAStoreShouldBeTorn() {
    InFlightLine line = line(cached(7, 9), cached(0, 1, 2, 3), cached(3, 4));

    assertThat(words(line.tears(), 4))
        .containsExactly(List.of(0L, 2L, 3L, 0L), List.of(1L, 0L, 3L, 0L), List.of(1L, 2L, 0L, 0L));
    assertThat(line.tears()).allMatch(torn -> words(torn, 8).get(7) == 9);
    assertThat(line.mostTears()).isEqualTo(3);
    assertThat(line.tears().get(0).isPrefix()).isFalse();
    assertThat(line.tears().get(2).isPrefix()).isTrue();
  }

  @Test
  void elementsOfOneInstructionShouldBeTornAsOneStore() {
    InFlightLine line = line(string(0, 1, 2, 3), string(3, 4, 5));

    assertThat(words(line.tears(), 5))
        .containsExactly(
            List.of(0L, 2L, 3L, 0L, 0L),
            List.of(1L, 0L, 3L, 0L, 0L),
            List.of(1L, 2L, 0L, 0L, 0L),
            List.of(1L, 2L, 3L, 0L, 5L),
            List.of(1L, 2L, 3L, 4L, 0L));
    assertThat(line.mostTears()).isEqualTo(5);
    assertThat(line(string(0, 1)).mostTears()).isZero();
  }

  @Test
  void storesPastTheCacheShouldBeTornEachByItself() {
    InFlightLine line = line(pastCache(0, 1, 2), pastCache(2, 3, 4));

    assertThat(words(line.tears(), 4))
        .containsExactly(
            List.of(0L, 2L, 0L, 0L),
            List.of(1L, 0L, 0L, 0L),
            List.of(1L, 2L, 0L, 4L),
            List.of(1L, 2L, 3L, 0L));
    assertThat(line.mostTears()).isEqualTo(4);
  }

  // What it may hold

  @Test
  void onlyPossibleContentsShouldBeHeld() {
    InFlightLine line = line(cached(0, 1), cached(1, 2));

    assertThat(line.contents()).isEqualTo(3);
    assertThat(line.holding(content(0, 0))).isEqualTo(line.guaranteed());
    assertThat(line.holding(content(1, 0)).map(one -> missing(line, one))).contains(List.of(1L));
    assertThat(line.holding(content(1, 2))).as("what it holds anyway").isEmpty();
    assertThat(line.holding(content(0, 2))).as("the second before the first").isEmpty();
    assertThatThrownBy(() -> line.content(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static byte[] content(long... words) {
    ByteBuffer bytes = ByteBuffer.allocate(LINE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes.array();
  }

  @Test
  void storesThatWereForgottenShouldBeLostAsAWholeOnly() {
    Step[] steps = new Step[4097];
    Arrays.setAll(steps, index -> cached(0, index + 1L));
    InFlightLine line = line(steps);

    assertThat(line.forgotten()).isEqualTo(2048);
    assertThat(line.stores()).hasSize(2049);
    assertThat(line.contents()).isEqualTo(2051);
    assertThat(line.holding(content(0))).isEqualTo(line.guaranteed()).isPresent();
    assertThat(line.holding(content(2048))).isPresent();
    assertThat(line.holding(content(2047))).isEmpty();
    assertThat(line.mostPrefixes()).isEqualTo(2050);
    assertThat(words(line.steps().get(0), 1)).containsExactly(0L);
    assertThat(words(line.steps().get(1), 1)).containsExactly(2048L);
    assertThat(line.allows(line.guaranteed().orElseThrow())).isTrue();
    assertThat(line.isLike(line(steps))).isTrue();
    InFlightLine fewer = line(cached(0, 1));
    assertThat(fewer.allows(line.steps().get(1))).isFalse();
    assertThat(fewer.allows(line.guaranteed().orElseThrow())).isTrue();
  }

  @Test
  void storesShouldWaitForAFenceBehindTheirFlush() {
    InFlightLine line =
        line(cached(0, 1), new Step.Flush(1, FlushKind.CLWB, 0), cached(1, 2), pastCache(2, 3));

    assertThat(line.stores().stream().map(line::isFlushed)).containsExactly(true, false, true);
  }

  // Comparing histories

  @Test
  void linesShouldBeLikeOthersWithTheSameStoresAndTheSameGuarantee() {
    InFlightLine line = line(cached(0, 1), cached(1, 2));

    assertThat(line.isLike(line(cached(0, 1), cached(1, 2)))).isTrue();
    assertThat(line.isLike(line(cached(0, 1)))).as("fewer stores").isFalse();
    assertThat(line.isLike(line(cached(0, 1), cached(1, 2, 3)))).as("other bytes").isFalse();
    assertThat(line.isLike(line(cached(8, 1), cached(0, 1), cached(1, 2))))
        .as("at other places of the trace")
        .isFalse();
    Step persist = new Step.Flush(1, FlushKind.CLWB, 0);
    Step fence = new Step.Fence(1, FenceKind.SFENCE);
    InFlightLine after = line(cached(7, 9), persist, fence, cached(0, 1));
    InFlightLine other = line(cached(6, 9), persist, fence, cached(0, 1));
    assertThat(after.isLike(other)).as("something else is guaranteed").isFalse();
  }

  @Test
  void statesShouldBeAllowedWhoseLinesMayHoldWhatTheyHold() {
    CrashStates states = states(cached(0, 1), cached(8, 2));
    CrashStates fewer = states(cached(0, 1));

    assertThat(states.allows(states.everythingLost())).isTrue();
    assertThat(states.allows(fewer.everythingLost())).isTrue();
    assertThat(fewer.allows(states.everythingLost())).isFalse();
    assertThat(fewer.allows(states(cached(0, 1), cached(1, 7)).before(6))).isTrue();
    assertThat(fewer.allows(states(pastCache(0, 3), cached(1, 7)).everythingLost())).isTrue();
    CrashState other = CrashState.of(line(cached(0, 5), cached(0, 6)).prefixes().subList(1, 2));
    assertThat(fewer.allows(other)).isFalse();
    assertThat(CrashStates.NONE.allows(other)).isFalse();
  }

  @Test
  void aStoreShouldBeLostWhileAnotherStays() {
    CrashStates states = states(cached(0, 1), cached(1, 2), cached(8, 3));
    List<Long> stores =
        states.lines().stream()
            .flatMap(line -> line.stores().stream())
            .map(InFlightStore::ordinal)
            .toList();
    long first = stores.get(0);
    long second = stores.get(1);
    long elsewhere = stores.get(2);

    assertThat(states.mayLose(second, OptionalLong.of(first))).isTrue();
    assertThat(states.mayLose(first, OptionalLong.of(second))).isFalse();
    assertThat(states.mayLose(first, OptionalLong.of(elsewhere))).isTrue();
    assertThat(states.mayLose(first, OptionalLong.empty())).isTrue();
    assertThat(states.mayLose(elsewhere + 1, OptionalLong.empty())).isFalse();
  }

  @Test
  void aFlushShouldBeKnownInAdvance() {
    CrashStates states = states(cached(0, 1));
    CrashStates flushed = states.inFrontOfFlush();

    assertThat(states.isCacheFlushed()).isFalse();
    assertThat(flushed.isCacheFlushed()).isTrue();
    assertThat(flushed.size()).isEqualTo(1);
    assertThat(flushed.inFrontOfFlush()).isSameAs(flushed);
  }

  @Test
  void twoContentsOfOneLineShouldBeRefused() {
    InFlightLine line = line(cached(0, 1), cached(1, 2));

    assertThatThrownBy(() -> CrashState.of(line.prefixes()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Location.toString(line.location()));
  }
}
