// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.LockKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnPersistsTest {
  private static final int WRITER = 1;
  private static final int READER = 2;

  private final OwnPersists persists = new OwnPersists(List.of(5L));

  private void store(long ordinal, int thread, int line, int flags) {
    ByteBuffer bytes = ByteBuffer.allocate(8);
    persists.store(
        new StoreRecord(ordinal, thread, flags, 1, 1, Location.of(1, 64L * line), 8, bytes, 0));
  }

  private void flush(int thread, FlushKind kind, int line) {
    persists.flush(0, thread, kind, 1, 1, Location.of(1, 64L * line));
  }

  private void fence(int thread) {
    persists.fence(0, thread, FenceKind.SFENCE, 1, 1);
  }

  private void interrupted() {
    store(6, READER, 3, 0);
  }

  @Test
  void flushAndFenceThatFollowShouldBeEnough() {
    store(5, WRITER, 0, 0);
    interrupted();
    flush(READER, FlushKind.CLWB, 0);
    fence(READER);
    fence(WRITER);
    flush(WRITER, FlushKind.CLWB, 0);
    assertThat(persists.areDecided()).isFalse();
    fence(WRITER);

    assertThat(persists.areDecided()).isTrue();
    assertThat(persists.hold()).isTrue();
  }

  @Test
  void fenceShouldBeEnoughForAStorePastTheCache() {
    store(5, WRITER, 0, StoreFlags.NON_TEMPORAL);
    interrupted();
    fence(WRITER);

    assertThat(persists.hold()).isTrue();
  }

  @Test
  void flushThatWaitsForNoFenceShouldBeEnough() {
    store(5, WRITER, 0, 0);
    interrupted();
    flush(WRITER, FlushKind.CLFLUSH, 0);

    assertThat(persists.hold()).isTrue();
  }

  @Test
  void moreStoresToTheSameLineShouldNotMatter() {
    store(5, WRITER, 0, 0);
    interrupted();
    store(7, WRITER, 0, 0);
    flush(WRITER, FlushKind.CLFLUSH, 0);

    assertThat(persists.hold()).isTrue();
  }

  @Test
  void withoutAnotherThreadTheyShouldNotHold() {
    store(5, WRITER, 0, 0);
    flush(WRITER, FlushKind.CLFLUSH, 0);

    assertThat(persists.areDecided()).isTrue();
    assertThat(persists.hold()).isFalse();
  }

  @Test
  void persistThatComesAfterSomethingElseShouldNotCount() {
    store(5, WRITER, 0, 0);
    interrupted();
    store(7, WRITER, 1, 0);

    assertThat(persists.areDecided()).isTrue();
    assertThat(persists.hold()).isFalse();
  }

  @Test
  void persistThatComesAfterTheUnlockShouldNotCount() {
    store(5, WRITER, 0, 0);
    interrupted();
    persists.event(new TraceEvent.Released(7, READER, LockKind.MUTEX, 1, 1, 64));
    assertThat(persists.areDecided()).isFalse();
    persists.event(new TraceEvent.Released(8, WRITER, LockKind.MUTEX, 1, 1, 64));

    assertThat(persists.areDecided()).isTrue();
    assertThat(persists.hold()).isFalse();
  }

  @Test
  void persistThatComesAfterTheThreadEndsShouldNotCount() {
    store(5, WRITER, 0, 0);
    persists.event(new TraceEvent.ThreadExited(7, READER, READER));
    assertThat(persists.areDecided()).isFalse();
    persists.event(new TraceEvent.ThreadExited(8, WRITER, WRITER));

    assertThat(persists.areDecided()).isTrue();
    assertThat(persists.hold()).isFalse();
  }

  @Test
  void persistThatNeverComesShouldNotCount() {
    store(5, WRITER, 0, 0);
    interrupted();
    flush(WRITER, FlushKind.CLWB, 1);
    fence(WRITER);

    assertThat(persists.areDecided()).isFalse();
    assertThat(persists.hold()).isFalse();
  }
}
