// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.changes.AddedState;
import io.powercut.persistency.changes.AddedStates;
import io.powercut.persistency.changes.WithoutPersists;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WithoutPersistsTest {
  private static final int WITHOUT = 7;
  private static final int OTHER = 8;
  private static final int FEW = 8;
  private static final int MANY = 1000;
  private static final long FILE_BYTES = 1 << 16;

  private final byte[] memory = new byte[192];

  /** Of the trace. */
  private final CacheLineTracker usual = model();

  /** Of the trace without the flushes and fences at {@link #WITHOUT}. */
  private final CacheLineTracker changed = model();

  private final List<TraceConsumer> models = List.of(usual, new WithoutPersists(WITHOUT, changed));

  private final ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private long ordinal;

  private CacheLineTracker model() {
    return new CacheLineTracker(
        PersistencyDomain.ADR,
        (file, offset, into) -> System.arraycopy(memory, (int) offset, into, 0, into.length));
  }

  @BeforeEach
  void defineFile() throws IOException {
    TraceEvent file =
        new TraceEvent.FileDefined(
            ordinal++, 1, 1, TraceEvent.FileState.EXISTING, FILE_BYTES, "pool");
    for (TraceConsumer model : models) {
      model.event(file);
    }
  }

  private void store(long offset, long value) throws IOException {
    word.putLong(0, value);
    for (TraceConsumer model : models) {
      model.store(new StoreRecord(ordinal, 1, 0, 1, 1, Location.of(1, offset), 8, word, 0));
    }
    word.get(0, memory, (int) offset, 8);
    ordinal++;
  }

  private void flush(long offset, int stack) throws IOException {
    for (TraceConsumer model : models) {
      model.flush(ordinal, 1, FlushKind.CLWB, 1, stack, Location.of(1, offset));
    }
    ordinal++;
  }

  private void fence(FenceKind kind, int stack) throws IOException {
    for (TraceConsumer model : models) {
      model.fence(ordinal, 1, kind, 1, stack);
    }
    ordinal++;
  }

  private void fence(int stack) throws IOException {
    fence(FenceKind.SFENCE, stack);
  }

  private List<AddedState> added() {
    return AddedStates.of(CrashStates.of(usual), CrashStates.of(changed), FEW, MANY);
  }

  /** The first word of the changed lines, as {@code offset=value}. */
  private static String text(CrashState state) {
    return state.differences().stream()
        .map(
            line ->
                Location.offset(line.location())
                    + "="
                    + ByteBuffer.wrap(line.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong(0))
        .collect(Collectors.joining(" "));
  }

  private List<String> addedTexts() {
    return added().stream().map(added -> text(added.state())).toList();
  }

  @Test
  void lineOfAMissingFlushShouldStayPendingAndOthersShouldNot() throws IOException {
    store(0, 1);
    flush(0, WITHOUT);
    store(64, 2);
    flush(64, OTHER);
    fence(OTHER);

    assertThat(CrashStates.of(usual).lines()).isEmpty();
    assertThat(addedTexts()).containsExactly("0=0");
  }

  @Test
  void linesOfAMissingFenceShouldStayPendingUntilTheNextOne() throws IOException {
    store(0, 1);
    flush(0, OTHER);
    fence(WITHOUT);
    store(64, 2);

    assertThat(addedTexts()).containsExactly("0=0", "0=0 64=0");
    fence(OTHER);
    assertThat(added()).isEmpty();
  }

  @Test
  void fenceOfALockedInstructionShouldStay() throws IOException {
    store(0, 1);
    flush(0, OTHER);
    fence(FenceKind.LOCKED, WITHOUT);

    assertThat(CrashStates.of(changed).lines()).isEmpty();
  }

  private TraceEvent.Sync sync(SyncKind kind, int stack, int error) throws IOException {
    TraceEvent.Sync begun =
        new TraceEvent.Sync(ordinal++, 1, kind, 1, stack, Location.of(1, 0), 4096);
    TraceEvent ended = new TraceEvent.SyncEnded(ordinal++, 1, begun, error);
    for (TraceConsumer model : models) {
      model.event(begun);
      model.event(ended);
    }
    return begun;
  }

  @Test
  void linesOfAMissingSyncShouldStayPendingUntilTheNextOne() throws IOException {
    for (SyncKind kind : List.of(SyncKind.MSYNC, SyncKind.FSYNC, SyncKind.FDATASYNC)) {
      store(0, ordinal);
      sync(kind, WITHOUT, 0);
      assertThat(CrashStates.of(usual).lines()).as("%s", kind).isEmpty();
      assertThat(CrashStates.of(changed).lines()).as("%s", kind).hasSize(1);
      sync(kind, OTHER, 0);
      assertThat(CrashStates.of(changed).lines()).as("%s", kind).isEmpty();
    }
  }

  @Test
  void syncThatFailsShouldNotCountAsLeftOut() throws IOException {
    WithoutPersists without = new WithoutPersists(WITHOUT, changed);
    TraceEvent.Sync begun =
        new TraceEvent.Sync(1, 1, SyncKind.MSYNC, 1, WITHOUT, Location.of(1, 0), 4096);

    without.event(new TraceEvent.SyncEnded(2, 1, begun, 5));
    assertThat(without.leftOut()).isZero();
    without.event(new TraceEvent.SyncEnded(3, 1, begun, 0));
    assertThat(without.leftOut()).isEqualTo(1);
  }

  @Test
  void stackWithoutANumberShouldBeRefused() {
    assertThatThrownBy(() -> new WithoutPersists(0, usual))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stateThatIsPossibleAnywayShouldNotCountAsAdded() throws IOException {
    store(0, 1);
    flush(0, WITHOUT);
    fence(OTHER);
    store(0, 2);

    // Nothing at all is new; the first store alone could be there before.
    assertThat(addedTexts()).containsExactly("0=0");
    assertThat(CrashStates.of(usual).lines().get(0).prefixes()).hasSize(1);
  }

  @Test
  void counterpartShouldLoseWhatCanBeLostAnyway() throws IOException {
    store(0, 1);
    flush(0, WITHOUT);
    fence(OTHER);
    store(64, 2);

    assertThat(added())
        .extracting(added -> text(added.state()) + " for " + text(added.counterpart()))
        .containsExactly("0=0 for ", "0=0 64=0 for 64=0");
  }

  @Test
  void linesThatCanBeLostAnywayShouldBeLostOneByOneBesides() throws IOException {
    store(0, 1);
    flush(0, WITHOUT);
    fence(OTHER);
    store(64, 2);
    store(128, 3);

    assertThat(added())
        .extracting(added -> text(added.state()) + " for " + text(added.counterpart()))
        .containsExactly(
            "0=0 for ",
            "0=0 64=0 128=0 for 64=0 128=0",
            "0=0 64=0 for 64=0",
            "0=0 128=0 for 128=0");
  }

  @Test
  void linesStoredToLastShouldComeFirst() throws IOException {
    store(0, 1);
    store(64, 2);
    store(128, 3);
    for (long line : List.of(0L, 64L, 128L)) {
      flush(line, WITHOUT);
    }
    fence(OTHER);

    assertThat(addedTexts()).containsExactly("0=0 64=0 128=0", "128=0", "64=0", "0=0");
  }

  @Test
  void noMoreThanWantedShouldBeChosen() throws IOException {
    for (long line = 0; line < 192; line += 64) {
      store(line, 1);
      flush(line, WITHOUT);
    }
    fence(OTHER);

    assertThat(AddedStates.of(CrashStates.of(usual), CrashStates.of(changed), FEW, 2))
        .extracting(added -> text(added.state()))
        .containsExactly("0=0 64=0 128=0", "128=0");
  }

  @Test
  void addedStatesShouldBePossibleOnlyWithoutThePersistsAndBeFoundWheneverThereAreAny()
      throws IOException {
    Random random = new Random(5);
    int withAdded = 0;
    for (int round = 0; round < 300; round++) {
      for (int step = 0; step < 14; step++) {
        randomStep(random);
      }
      Set<CrashState> before = all(CrashStates.of(usual));
      Set<CrashState> after = all(CrashStates.of(changed));
      Set<CrashState> added = new HashSet<>();
      added().forEach(one -> added.add(one.state()));

      assertThat(after).containsAll(added);
      assertThat(added).doesNotContainAnyElementsOf(before);
      assertThat(added.isEmpty()).isEqualTo(before.containsAll(after));
      assertThat(before).containsAll(added().stream().map(AddedState::counterpart).toList());
      withAdded += added.isEmpty() ? 0 : 1;
      settle();
    }
    assertThat(withAdded).isBetween(30, 270);
  }

  private void randomStep(Random random) throws IOException {
    int stack = random.nextInt(3) == 0 ? WITHOUT : OTHER;
    long offset = 64L * random.nextInt(3) + 8L * random.nextInt(2);
    switch (random.nextInt(5)) {
      case 0, 1 -> store(offset, ordinal + 1);
      case 2, 3 -> flush(offset, stack);
      default -> fence(stack);
    }
  }

  /** Nothing is pending any more. */
  private void settle() throws IOException {
    for (long line = 0; line < 192; line += 64) {
      flush(line, OTHER);
    }
    fence(OTHER);
  }

  private static Set<CrashState> all(CrashStates states) {
    List<CrashState> all =
        new ArrayList<>(new CrashStatePolicy.Exhaustive(64).select(states).states().toList());
    all.add(CrashState.of(List.of()));
    return new HashSet<>(all);
  }
}
