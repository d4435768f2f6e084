// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Flushes of ranges that end before a lost store, with stacks for code and for places. */
class ShortFlushesTest {
  private static final int PUT = 7;
  private static final int FLUSH = 8;
  private static final int OTHER = 9;
  private static final long LINE = 64;

  private final ShortFlushes<Integer, Integer> flushes =
      new ShortFlushes<>(code -> Optional.of(code.stack()), code -> Optional.of(code.stack()));
  private long ordinal;

  private ShortFlushes.Loss<Integer> lost(long store, long line) {
    return flushes.ask(
        PUT,
        List.of(new ShortFlushes.StoreInLine(store, Location.of(1, line))),
        OptionalLong.empty());
  }

  private void store(long offset, int size) {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    flushes.store(new StoreRecord(ordinal++, 1, 0, 1, PUT, Location.of(1, offset), size, bytes, 0));
  }

  private void flush(FlushKind kind, int stack, long first, long last) {
    for (long line = first; line <= last; line += LINE) {
      flushes.flush(ordinal++, 1, kind, 1, stack, Location.of(1, line));
    }
  }

  private void flush(long first, long last) {
    flush(FlushKind.CLWB, FLUSH, first, last);
  }

  private void fence() {
    flushes.fence(ordinal++, 1, FenceKind.SFENCE, 1, 1);
  }

  /** At another time, the flush reaches the second line. */
  private void flushBoth() {
    store(1024 + LINE, 8);
    flush(1024, 1024 + LINE);
    fence();
  }

  @Test
  void flushThatReachesFartherAtAnotherTimeShouldBeTooShort() {
    ShortFlushes.Loss<Integer> loss = lost(0, LINE);
    store(LINE + 16, 8);
    flush(0, 0);
    fence();
    loss.cut();
    assertThat(flushes.areDecided()).isFalse();
    flushBoth();

    assertThat(flushes.areDecided()).isTrue();
    assertThat(flushes.of(List.of(loss)))
        .contains(
            new ShortFlushes.Range(
                StoreCode.of(FLUSH, 0),
                Location.of(1, 0),
                Location.of(1, LINE - 1),
                Location.of(1, LINE + 16),
                8));
  }

  /** As of a count in front of the entries of a log: each time apart, these fill the memory. */
  @Test
  void flushesThatComeVeryOftenShouldBeOne() {
    int stores = 1_000;
    List<Long> ordinals = LongStream.range(0, stores).boxed().toList();
    List<ShortFlushes.Loss<Integer>> losses =
        ordinals.stream()
            .map(
                unused ->
                    flushes.ask(
                        PUT,
                        ordinals.stream()
                            .map(one -> new ShortFlushes.StoreInLine(one, Location.of(1, LINE)))
                            .toList(),
                        OptionalLong.empty()))
            .toList();
    for (int number = 0; number < stores; number++) {
      store(LINE + 16, 8);
    }
    for (int number = 0; number < 100_000; number++) {
      flush(0, 0);
      fence();
    }
    losses.forEach(ShortFlushes.Loss::cut);
    flushBoth();

    assertThat(flushes.of(losses)).isPresent();
  }

  @Test
  void flushThatNeverReachesSuchStoresShouldNotBeMeantForThem() {
    ShortFlushes.Loss<Integer> loss = lost(2, LINE);
    store(16, 8);
    store(LINE - 8, 16);
    store(LINE + 8, 8);
    flush(0, 0);
    fence();
    loss.cut();

    assertThat(flushes.of(List.of(loss))).isEmpty();
  }

  @Test
  void flushOfElementsUpToTheLostOneShouldBeTooShort() {
    ShortFlushes.Loss<Integer> loss = lost(1, LINE);
    store(LINE - 8, 8);
    store(LINE, 8);
    flush(0, 0);
    fence();
    loss.cut();

    assertThat(flushes.of(List.of(loss))).isPresent();
  }

  @Test
  void recordsNextToOneAnotherShouldNotBeElements() {
    ShortFlushes.Loss<Integer> loss = lost(1, LINE);
    store(0, 64);
    store(LINE, 64);
    flush(0, 0);
    fence();
    loss.cut();

    assertThat(flushes.of(List.of(loss))).isEmpty();
  }

  @Test
  void flushWithoutItsFenceShouldNotHavePersistedIt() {
    flushes.ask(OTHER, List.of(), OptionalLong.empty());
    ShortFlushes.Loss<Integer> loss = lost(3 + 1, LINE);
    flushBoth();
    store(LINE, 8);
    flush(0, 0);
    loss.cut();
    fence();

    assertThat(flushes.of(List.of(loss))).isEmpty();
  }

  @Test
  void clflushShouldNeedNoFence() {
    ShortFlushes.Loss<Integer> loss = lost(4, LINE);
    flushBoth();
    store(LINE, 8);
    flush(FlushKind.CLFLUSH, FLUSH, 0, 0);
    store(512, 8);
    loss.cut();

    assertThat(flushes.of(List.of(loss))).isPresent();
  }

  @Test
  void storeThatReliesOnItShouldComeLater() {
    ShortFlushes.Loss<Integer> loss =
        flushes.ask(
            PUT,
            List.of(new ShortFlushes.StoreInLine(4, Location.of(1, LINE))),
            OptionalLong.of(5));
    flushBoth();
    store(LINE, 8);
    store(512, 8);
    flush(0, 0);
    fence();
    loss.cut();

    assertThat(flushes.of(List.of(loss))).isEmpty();
  }

  @Test
  void flushThatEndsFartherAwayShouldNotBeBlamed() {
    ShortFlushes.Loss<Integer> loss = lost(4, 2 * LINE);
    flushBoth();
    store(2 * LINE, 8);
    flush(0, 0);
    fence();
    loss.cut();

    assertThat(flushes.of(List.of(loss))).isEmpty();
  }

  @Test
  void oneFlushShouldBeTooShortWhereverTheStoreIsLost() {
    flushBoth();
    ShortFlushes.Loss<Integer> loss = lost(ordinal, LINE);
    ShortFlushes.Loss<Integer> elsewhere = lost(ordinal + 3, LINE);
    store(LINE, 8);
    flush(0, 0);
    fence();
    loss.cut();
    store(LINE, 8);
    flush(FlushKind.CLWB, OTHER, 0, 0);
    fence();
    elsewhere.cut();
    flushBoth();

    assertThat(flushes.of(List.of(loss))).isPresent();
    assertThat(flushes.of(List.of(loss, elsewhere))).isEmpty();
  }
}
