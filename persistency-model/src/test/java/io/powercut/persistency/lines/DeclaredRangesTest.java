// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.ranges.LineRange;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.RangeKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeclaredRangesTest {
  private static final long LINE = Location.of(1, 0x1000);

  private final CacheLineTracker tracker =
      new CacheLineTracker(
          PersistencyDomain.ADR, (file, offset, into) -> Arrays.fill(into, (byte) 0xee));
  private long ordinal;

  DeclaredRangesTest() {
    tracker.event(
        new TraceEvent.FileDefined(
            ordinal++, 1, 1, TraceEvent.FileState.EXISTING, 1 << 20, "pool"));
  }

  private void store(int offset, int size, int value) throws IOException {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) value);
    tracker.store(
        new StoreRecord(ordinal++, 1, 0, 1, 1, LINE + offset, size, ByteBuffer.wrap(bytes), 0));
  }

  private void declare(RangeKind kind, long offset, long size) {
    tracker.event(new TraceEvent.RangeDeclared(ordinal++, 1, kind, 1, LINE + offset, size));
  }

  /** What the only line holds when all is lost that can be. */
  private byte[] lost() {
    List<InFlightLine> lines = CrashStates.of(tracker).lines();
    assertThat(lines).hasSize(1);
    return lines.get(0).guaranteed().orElseThrow().bytes();
  }

  private static byte[] line(int... bytesAndValues) {
    byte[] line = new byte[LineRange.LINE];
    Arrays.fill(line, (byte) 0xee);
    for (int index = 0; index < bytesAndValues.length; index += 2) {
      line[bytesAndValues[index]] = (byte) bytesAndValues[index + 1];
    }
    return line;
  }

  @Test
  void shouldHoldInEveryStateWhatWasStoredToIgnoredBytes() throws IOException {
    declare(RangeKind.IGNORED, 3, 2);
    store(2, 4, 7);
    store(4, 1, 9);

    assertThat(lost()).isEqualTo(line(3, 7, 4, 9));
  }

  @Test
  void shouldHoldWhatWasInFlightWhenBytesWereIgnored() throws IOException {
    store(0, 1, 5);
    store(8, 1, 6);
    declare(RangeKind.IGNORED, 8, 1);

    assertThat(lost()).isEqualTo(line(8, 6));
  }

  @Test
  void shouldLoseWhatWasStoredAgainstAnIgnoredOrder() throws IOException {
    declare(RangeKind.IGNORED, 8, 8);
    store(0, 1, 5);
    store(8, 1, 6);

    assertThat(lost()).isEqualTo(line(8, 6));
    declare(RangeKind.PERSISTENT, 8, 8);
    store(8, 1, 7);

    assertThat(lost()).isEqualTo(line(8, 6));
  }

  @Test
  void shouldNotBeginALineForIgnoredBytes() throws IOException {
    declare(RangeKind.IGNORED, -64, 256);
    store(-8, 16, 1);

    assertThat(tracker.size()).isZero();
  }

  @Test
  void shouldForgetManyLinesAtOnce() throws IOException {
    for (int line = 0; line < 3000; line++) {
      store(64 * line, 8, 1);
    }
    declare(RangeKind.IGNORED, 8, 64 * 2999L - 8);

    assertThat(tracker.size()).isEqualTo(2);
  }

  /** Of the only line. */
  private List<Long> notTransient() {
    List<Long> left = new ArrayList<>();
    tracker.forEachLine(
        line ->
            tracker
                .withoutTransient(line.stores(), line.location())
                .forEach(store -> left.add(store.bytes())));
    return left;
  }

  @Test
  void shouldTellTransientBytesFromOthersOfALine() throws IOException {
    declare(RangeKind.TRANSIENT, 2, 2);
    store(0, 3, 1);
    store(2, 1, 1);
    store(4, 1, 1);

    assertThat(notTransient()).containsExactly(0b11L, 0b10000L);
    assertThat(lost()).isEqualTo(line());
  }

  @Test
  void shouldNotAskForWhatWasInFlightWhenItBecameTransient() throws IOException {
    store(0, 1, 1);
    declare(RangeKind.TRANSIENT, 0, 1);

    assertThat(notTransient()).isEmpty();
  }

  @Test
  void shouldAskForWhatIsStoredAfterTheEnd() throws IOException {
    declare(RangeKind.TRANSIENT, 0, 16);
    store(0, 1, 1);
    store(8, 1, 1);
    declare(RangeKind.PERSISTENT, 0, 8);
    store(1, 1, 1);
    store(9, 1, 1);

    assertThat(notTransient()).containsExactly(0b10L);
    declare(RangeKind.PERSISTENT, 0, 16);
    store(8, 1, 1);
    assertThat(notTransient()).containsExactly(0b10L, 1L << 8);
  }

  @Test
  void shouldNotConfuseVolatileMemoryWithAFile() throws IOException {
    tracker.event(new TraceEvent.RangeDeclared(ordinal++, 1, RangeKind.IGNORED, 1, 0x1000, 64));
    store(0, 1, 1);

    assertThat(tracker.size()).isEqualTo(1);
  }
}
