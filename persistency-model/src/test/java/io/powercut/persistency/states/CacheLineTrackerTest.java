// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CacheLineTrackerTest {
  private static final long FILE_BYTES = 1 << 20;

  /** Everything was zero. */
  private final CacheLineTracker pending =
      new CacheLineTracker(PersistencyDomain.ADR, (file, offset, into) -> {});

  private final ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private long ordinal;

  @BeforeEach
  void defineFile() {
    define(1, TraceEvent.FileState.EXISTING);
  }

  private void define(int file, TraceEvent.FileState state) {
    pending.event(new TraceEvent.FileDefined(ordinal++, 1, file, state, FILE_BYTES, "file" + file));
  }

  private void store(int file, long offset, long value) throws IOException {
    store(file, offset, value, 0);
  }

  private void store(int file, long offset, long value, int flags) throws IOException {
    word.putLong(0, value);
    pending.store(
        new StoreRecord(ordinal++, 1, flags, 11, 12, Location.of(file, offset), 8, word, 0));
  }

  private void persist(int file, long offset) {
    pending.flush(ordinal++, 1, FlushKind.CLWB, 0, 0, Location.of(file, offset));
    pending.fence(ordinal++, 1, FenceKind.SFENCE, 0, 0);
  }

  private static long word(LineDifference line, int unit) {
    return ByteBuffer.wrap(line.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong(8 * unit);
  }

  @Test
  void programOrderShouldBeKnownUpToTheLastStoreThatHasPersisted() throws IOException {
    assertThat(CrashStates.of(pending).isProgramOrderBefore(0)).isTrue();
    store(1, 0, 1);
    long first = ordinal - 1;
    store(1, 64, 1);
    long second = ordinal - 1;
    store(1, 128, 1);
    long third = ordinal - 1;
    assertThat(CrashStates.of(pending).isProgramOrderBefore(first)).isTrue();

    persist(1, 64);

    CrashStates states = CrashStates.of(pending);
    assertThat(states.isProgramOrderBefore(first)).isFalse();
    assertThat(states.isProgramOrderBefore(second)).isFalse();
    assertThat(states.isProgramOrderBefore(third)).isTrue();
    assertThat(states.inFrontOfFlush().isProgramOrderBefore(second)).isFalse();
  }

  /** The second half of a store that crosses two lines is still in flight. */
  @Test
  void storeThatPersistedInPartShouldCountAsPersisted() throws IOException {
    store(1, 60, -1);
    long across = ordinal - 1;
    store(1, 128, 1);

    persist(1, 0);

    assertThat(CrashStates.of(pending).isProgramOrderBefore(across)).isFalse();
    assertThat(CrashStates.of(pending).isProgramOrderBefore(across + 1)).isTrue();
  }

  @Test
  void storeThatIsHalfGoneShouldCountAsPersisted() throws IOException {
    ByteBuffer wide = ByteBuffer.allocate(16);
    pending.store(new StoreRecord(ordinal++, 1, 0, 11, 12, Location.of(1, 0), 16, wide, 0));
    long halved = ordinal - 1;
    pending.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, 0, 8));

    assertThat(CrashStates.of(pending).lines()).hasSize(1);
    assertThat(CrashStates.of(pending).isProgramOrderBefore(halved)).isFalse();
    assertThat(CrashStates.of(pending).isProgramOrderBefore(halved + 1)).isTrue();
  }

  /** No crash state undoes a rename, so what came before it had another name. */
  @Test
  void programOrderShouldBeKnownUpToTheLastChangeOfNames() throws IOException {
    store(1, 0, 1);
    long before = ordinal - 1;
    pending.event(new TraceEvent.FileRenamed(ordinal++, 1, 1, "other", false));
    store(1, 64, 1);
    long behind = ordinal - 1;

    assertThat(CrashStates.of(pending).isProgramOrderBefore(before)).isFalse();
    assertThat(CrashStates.of(pending).isProgramOrderBefore(behind)).isTrue();
  }

  @Test
  void missingStoresShouldBeNamedWithAllThatIsKnownOfThem() throws IOException {
    store(1, 8, 1);
    store(1, 16, 2, StoreFlags.LOCKED);

    CrashState lost =
        new CrashStatePolicy.Guaranteed()
            .select(CrashStates.of(pending))
            .states()
            .findAny()
            .orElseThrow();

    assertThat(lost.missing()).extracting(InFlightStore::ordinal).containsExactly(1L, 2L);
    InFlightStore last = lost.missing().get(1);
    assertThat(last.site()).isEqualTo(11);
    assertThat(last.stack()).isEqualTo(12);
    assertThat(last.thread()).isEqualTo(1);
    assertThat(last.flags()).isEqualTo(StoreFlags.LOCKED);
    assertThat(last.bytes()).isEqualTo(0xff0000L);
  }

  @Test
  void aTornStoreShouldBeMissingInPartAndAnEqualValueNotAtAll() throws IOException {
    ByteBuffer two = ByteBuffer.allocate(16).putLong(0, 5);
    pending.store(new StoreRecord(ordinal++, 1, 0, 1, 1, Location.of(1, 0), 16, two, 0));

    InFlightLine line = CrashStates.of(pending).lines().get(0);

    // The second half stores zeros over zeros.
    assertThat(line.contents()).isEqualTo(2);
    assertThat(line.prefixes()).hasSize(1);
    assertThat(line.prefixes().get(0).missing())
        .singleElement()
        .extracting(InFlightStore::bytes)
        .isEqualTo(0xffL);
  }

  @Test
  void aTearShouldLoseAnyUnitOfAStoreTheFirstAndTheLastToo() throws IOException {
    ByteBuffer three = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    three.putLong(0, 1).putLong(8, 2).putLong(16, 3);
    pending.store(new StoreRecord(ordinal++, 1, 0, 1, 1, Location.of(1, 8), 24, three, 0));

    InFlightLine line = CrashStates.of(pending).lines().get(0);

    assertThat(line.tears())
        .extracting(tear -> List.of(word(tear, 1), word(tear, 2), word(tear, 3)))
        .containsExactly(List.of(0L, 2L, 3L), List.of(1L, 0L, 3L), List.of(1L, 2L, 0L));
  }

  /** Also at the ends of a range that is not made of units, or of lines. */
  @Test
  void whatIsZeroedShouldBeCertainToItsLastByteAndNoFurther() throws IOException {
    for (long offset = 0; offset < 256; offset += 8) {
      store(1, offset, -1);
    }

    pending.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, 5, 130));

    // Bytes 5 up to 135.
    assertThat(CrashStates.of(pending).lines())
        .extracting(line -> Location.offset(line.location()))
        .containsExactly(0L, 128L, 192L);
    assertThat(CrashStates.of(pending).lines())
        .extracting(
            line ->
                line.stores().stream().mapToLong(InFlightStore::bytes).reduce(0, (a, b) -> a | b))
        .containsExactly(0x1fL, -1L << 7, -1L);
  }

  @Test
  void programOrderOfAnEarlierPlaceShouldLackWhatWasStoredSince() throws IOException {
    long first = ordinal;
    store(1, 0, 2);
    store(1, 64, 3, StoreFlags.NON_TEMPORAL);
    store(1, 8, 4);
    CrashStates states = CrashStates.of(pending);

    assertThat(words(states.before(0))).containsExactly("0: 0 0", "64: 0 0");
    assertThat(words(states.before(first))).containsExactly("0: 0 0", "64: 0 0");
    assertThat(words(states.before(first + 1))).containsExactly("0: 2 0", "64: 0 0");
    assertThat(words(states.before(first + 2))).containsExactly("0: 2 0");
    assertThat(states.before(first + 3).isProgramOrder()).isTrue();
  }

  private static List<String> words(CrashState state) {
    return state.differences().stream()
        .map(line -> Location.offset(line.location()) + ": " + word(line, 0) + " " + word(line, 1))
        .toList();
  }

  @Test
  void storesThatChangeNothingShouldNotBeMissing() throws IOException {
    store(1, 0, 0);
    store(1, 8, 0);
    store(1, 16, 1);

    assertThat(CrashStates.of(pending).lines().get(0).guaranteed().orElseThrow().missing())
        .extracting(InFlightStore::bytes)
        .containsExactly(0xff0000L);
  }

  @Test
  void aSnapshotShouldStayAsItIsWhileTheTraceGoesOn() throws IOException {
    store(1, 0, 1);
    CrashStates before = CrashStates.of(pending);
    store(1, 0, 2);
    persist(1, 0);

    assertThat(before.count()).isEqualTo(2);
    assertThat(before.lines().get(0).stores()).hasSize(1);
    assertThat(CrashStates.of(pending).lines()).isEmpty();
  }

  @Test
  void filesThatAPowerCutTakesAwayShouldHaveNoLines() throws IOException {
    define(2, TraceEvent.FileState.CREATED_UNNAMED);
    define(3, TraceEvent.FileState.UNNAMED);
    define(4, TraceEvent.FileState.CREATED);
    define(5, TraceEvent.FileState.CREATED);
    define(6, TraceEvent.FileState.EXISTING);
    for (int file = 2; file <= 6; file++) {
      store(file, 0, 1);
    }
    pending.event(new TraceEvent.FileDeleted(ordinal++, 1, 4, "file4", false));
    pending.event(new TraceEvent.FileDeleted(ordinal++, 1, 5, "file5", true));
    pending.event(new TraceEvent.FileRenamed(ordinal++, 1, 6, "/elsewhere", true));
    store(4, 0, 2);
    store(6, 0, 2);

    assertThat(filesOfLines()).containsExactly(5);

    pending.event(new TraceEvent.FileLinked(ordinal++, 1, 2, "file2", false));
    assertThat(filesOfLines()).containsExactly(2, 5);
  }

  private List<Integer> filesOfLines() {
    return CrashStates.of(pending).lines().stream()
        .map(line -> Location.file(line.location()))
        .toList();
  }

  @Test
  void aLineWithVeryManyStoresShouldKeepItsGuaranteedContentAndTheLastOnes() throws IOException {
    for (int value = 1; value <= 10_000; value++) {
      store(1, 0, value);
    }
    CrashStates states = CrashStates.of(pending);
    InFlightLine line = states.lines().get(0);

    assertThat(states.isComplete()).isFalse();
    assertThat(line.forgotten() + line.stores().size()).isEqualTo(10_000);
    assertThat(line.guaranteed().map(lost -> word(lost, 0))).contains(0L);
    assertThat(line.contents()).isEqualTo(line.stores().size() + 2);
    assertThat(line.guaranteed().orElseThrow().missing()).isEqualTo(line.stores());
    assertThat(line.prefixes())
        .extracting(prefix -> word(prefix, 0))
        .startsWith(0L, (long) line.forgotten(), line.forgotten() + 1L)
        .endsWith(9_999L);

    persist(1, 0);
    store(1, 0, 10_001);
    assertThat(CrashStates.of(pending).isComplete()).isTrue();
  }

  /** As a record that is rewritten in place does, or a lock. */
  @Test
  void aLineWithThousandsOfStoresShouldForgetNone() throws IOException {
    for (int value = 1; value <= LineHistory.MOST_STORES; value++) {
      store(1, 0, value);
    }
    CrashStates states = CrashStates.of(pending);
    InFlightLine line = states.lines().get(0);

    assertThat(states.isComplete()).isTrue();
    assertThat(line.steps()).hasSize(LineHistory.MOST_STORES);
    assertThat(line.contents()).isEqualTo(LineHistory.MOST_STORES + 1);
    assertThat(line.content(line.contents() / 2)).isPresent();
  }

  @Test
  void contentsOfManyNonTemporalStoresShouldStillBeCounted() throws IOException {
    ByteBuffer wide = ByteBuffer.allocate(64);
    for (int round = 1; round <= 600; round++) {
      for (int index = 0; index < 64; index += 8) {
        wide.putLong(index, round);
      }
      pending.store(
          new StoreRecord(
              ordinal++, 1, StoreFlags.NON_TEMPORAL, 0, 0, Location.of(1, 0), 64, wide, 0));
    }
    InFlightLine line = CrashStates.of(pending).lines().get(0);

    assertThat(line.contents()).isBetween(1L << 50, 1L << 62);
    assertThat(line.content(line.contents() / 2)).isPresent();
  }

  /** A lock in the same line as the pointer whose loss matters. */
  @Test
  void stepsShouldBeInTheOrderOfLossEvenWhenContentsRepeat() throws IOException {
    store(1, 0, 1);
    store(1, 8, 7);
    store(1, 0, 0);
    InFlightLine line = CrashStates.of(pending).lines().get(0);

    assertThat(line.steps()).extracting(step -> step.missing().size()).containsExactly(3, 2, 1);
    assertThat(line.steps()).extracting(step -> word(step, 0)).containsExactly(0L, 1L, 1L);
    assertThat(line.steps()).extracting(step -> word(step, 1)).containsExactly(0L, 0L, 7L);
    store(1, 8, 9);
    InFlightLine more = CrashStates.of(pending).lines().get(0);
    assertThat(more.prefixes())
        .extracting(prefix -> prefix.missing().size())
        .containsExactly(4, 3, 2, 1);
    store(1, 8, 7);
    InFlightLine repeated = CrashStates.of(pending).lines().get(0);
    assertThat(repeated.steps()).hasSize(5);
    assertThat(repeated.steps().get(3).changesNothing()).isTrue();
    assertThat(repeated.prefixes())
        .extracting(prefix -> prefix.missing().size())
        .containsExactly(5, 4, 3, 1);
  }

  @Test
  void aRestoredStoreShouldBringWhatPersistsBeforeIt() throws IOException {
    store(1, 0, 1);
    store(1, 8, 2);
    store(1, 16, 3);
    InFlightLine line = CrashStates.of(pending).lines().get(0);
    LineDifference lost = line.guaranteed().orElseThrow();

    LineDifference restored = lost.restoring(lost.missing().get(1));

    assertThat(restored.missing()).containsExactly(line.stores().get(2));
    assertThat(line.losing(line.stores().get(1)).missing())
        .containsExactly(line.stores().get(1), line.stores().get(2));
    LineDifference swapped = line.inOtherOrder(line.stores().get(1), line.stores().get(2));
    assertThat(word(swapped, 2)).isEqualTo(3);
    assertThat(word(swapped, 1)).isZero();
  }

  @Test
  void aFlushOfForgottenStoresShouldNeverAllowWhatItExcludes() throws IOException {
    store(1, 0, 1);
    pending.flush(ordinal++, 1, FlushKind.CLWB, 0, 0, Location.of(1, 0));
    for (int value = 2; value <= 10_000; value++) {
      store(1, 0, value);
    }
    pending.fence(ordinal++, 1, FenceKind.SFENCE, 0, 0);

    assertThat(CrashStates.of(pending).lines().get(0).prefixes())
        .extracting(prefix -> word(prefix, 0))
        .doesNotContain(0L)
        .endsWith(9_999L);
  }

  @Test
  void contentsShouldBeCountedAndNumberedWithoutBeingListed() throws IOException {
    for (int value = 1; value <= 12; value++) {
      for (int unit = 0; unit < 8; unit++) {
        store(1, 8L * unit, value, StoreFlags.NON_TEMPORAL);
      }
    }
    InFlightLine line = CrashStates.of(pending).lines().get(0);
    long all = BigInteger.valueOf(13).pow(8).longValueExact();

    assertThat(line.contents()).isEqualTo(all);
    Set<LineDifference> some = new HashSet<>();
    for (long number = 0; number < all - 1; number += all / 1000) {
      line.content(number).ifPresent(some::add);
    }
    assertThat(some).hasSizeGreaterThan(999);
    assertThatThrownBy(() -> line.content(all)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void manyLinesShouldBeSampledAndNotExploredInFull() throws IOException {
    for (int line = 0; line < 80; line++) {
      store(1, 64L * line, 1);
    }
    CrashStates states = CrashStates.of(pending);

    assertThat(states.count()).isEqualTo(BigInteger.ONE.shiftLeft(80));
    Selection refused = new CrashStatePolicy.Exhaustive(79).select(states);
    assertThat(refused.count()).isZero();
    assertThat(refused.states()).isEmpty();
    assertThat(refused.refusal())
        .contains("80 lines are pending, more than the 79 that are explored in full");
    assertThat(new CrashStatePolicy.Exhaustive(80).select(states).states().limit(1000))
        .doesNotHaveDuplicates()
        .hasSize(1000);
    assertThat(new CrashStatePolicy.Sampled(1000, 1).select(states).states().toList())
        .doesNotHaveDuplicates()
        .hasSize(1000)
        .isNotEqualTo(new CrashStatePolicy.Sampled(1000, 2).select(states).states().toList());
  }

  @Test
  void samplesShouldTakeEveryStateEquallyOften() throws IOException {
    store(1, 0, 1);
    store(1, 0, 2);
    store(1, 64, 1);
    store(1, 64, 2);
    CrashStates states = CrashStates.of(pending);
    Map<CrashState, Integer> counts = new HashMap<>();
    for (int seed = 0; seed < 8000; seed++) {
      new CrashStatePolicy.Sampled(2, seed)
          .select(states)
          .states()
          .forEach(state -> counts.merge(state, 1, Integer::sum));
    }

    assertThat(counts).hasSize(8);
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(1800, 2200));
  }

  @Test
  void anySelectionOfLinesShouldMakeAState() throws IOException {
    store(1, 0, 1);
    store(1, 64, 1);
    store(1, 64, 2);
    List<InFlightLine> lines = CrashStates.of(pending).lines();
    LineDifference first = lines.get(0).guaranteed().orElseThrow();
    LineDifference second = lines.get(1).guaranteed().orElseThrow();

    assertThat(CrashState.of(List.of(second, first)))
        .isEqualTo(CrashState.of(List.of(first, second)))
        .isNotEqualTo(CrashState.of(List.of(first)));
    assertThat(CrashState.of(List.of()).isProgramOrder()).isTrue();
    assertThatThrownBy(() -> CrashState.of(List.of(second, lines.get(1).prefixes().get(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two contents of one line: 1:0x40");
  }

  @Test
  void policiesShouldSayWhichNumbersTheyCannotTake() {
    assertThatThrownBy(() -> new CrashStatePolicy.Sampled(0, 1))
        .hasMessage("number is 0, not 1 or more");
    assertThatThrownBy(() -> new CrashStatePolicy.Exhaustive(0))
        .hasMessage("maxLines is 0, not 1 or more");
    assertThatThrownBy(() -> new CrashStatePolicy.OneLineLost(0))
        .hasMessage("fewPrefixes is 0, not 1 or more");
  }

  private void storeAt(int site, long offset) throws IOException {
    pending.store(new StoreRecord(ordinal++, 1, 0, site, 12, Location.of(1, offset), 8, word, 0));
  }

  @Test
  void sitesInFlightShouldBeThoseOfTheStoresThatCanBeLost() throws IOException {
    assertThat(pending.inFlightPlaces()).isZero();
    storeAt(1, 0);
    long one = pending.inFlightPlaces();
    storeAt(1, 640);
    assertThat(pending.inFlightPlaces()).isEqualTo(one).isNotZero();
    storeAt(2, 8);
    long both = pending.inFlightPlaces();
    assertThat(both).isNotEqualTo(one);

    persist(1, 0);
    assertThat(pending.inFlightPlaces()).as("site 1, in the other line").isEqualTo(one);
    storeAt(2, 1280);
    assertThat(pending.inFlightPlaces()).as("in any order, any line").isEqualTo(both);
    persist(1, 640);
    persist(1, 1280);
    assertThat(pending.inFlightPlaces()).isZero();
  }

  @Test
  void sitesOfForgottenStoresShouldNotBeInFlight() throws IOException {
    for (int store = 0; store <= LineHistory.MOST_STORES; store++) {
      storeAt(store < 40 ? 3 : 1, 0);
    }
    long left = pending.inFlightPlaces();
    persist(1, 0);
    storeAt(1, 0);
    assertThat(pending.inFlightPlaces()).isEqualTo(left);
    pending.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, 0, 4096));
    assertThat(pending.inFlightPlaces()).isZero();
  }
}
