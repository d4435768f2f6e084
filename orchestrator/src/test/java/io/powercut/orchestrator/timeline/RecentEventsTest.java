// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.Timeline;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class RecentEventsTest {
  private static final int SIZE = 12;

  private final RecentEvents recent = new RecentEvents();

  private void store(long ordinal, int thread, int flags) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * SIZE).order(ByteOrder.LITTLE_ENDIAN);
    for (int index = 0; index < SIZE; index++) {
      bytes.put(SIZE + index, (byte) (200 + index));
    }
    recent.store(
        new StoreRecord(ordinal, thread, flags, 3, 4, Location.of(1, ordinal), SIZE, bytes, SIZE));
  }

  @Test
  void theLastShouldBeKeptTheOldestFirst() {
    for (int ordinal = 0; ordinal < RecentEvents.MOST + 10; ordinal++) {
      store(ordinal, 1, 0);
    }
    assertThat(recent.now()).hasSize(RecentEvents.MOST);
    assertThat(recent.now().get(0).ordinal()).isEqualTo(10);
    assertThat(recent.now()).extracting(Happening::ordinal).isSorted();
  }

  @Test
  void storeOfSeveralRecordsShouldHaveTheOrdinalOfTheFirst() {
    store(5, 1, StoreFlags.MORE);
    store(6, 2, 0);
    store(7, 1, StoreFlags.MORE);
    store(8, 1, 0);
    store(9, 1, 0);

    assertThat(recent.now()).extracting(Happening::ordinal).containsExactly(5L, 6L, 5L, 5L, 9L);
  }

  @Test
  void bytesShouldBeKnownAsFarAsTheStoreReaches() {
    store(1, 1, 0);
    Happening store = recent.now().get(0);

    assertThat(store.storedByte(0)).isEqualTo(200);
    assertThat(store.storedByte(11)).isEqualTo(211);
    assertThat(store.storedByte(12)).isEqualTo(-1);
  }

  @Test
  void fencesInARowAndFlushesOfVolatileMemoryShouldNotPushOthersOut() {
    store(1, 1, 0);
    recent.flush(2, 1, FlushKind.CLWB, 3, 4, Location.of(0, 64));
    recent.flush(3, 1, FlushKind.CLWB, 3, 4, Location.of(1, 64));
    recent.fence(4, 1, FenceKind.SFENCE, 3, 4);
    recent.fence(5, 1, FenceKind.LOCKED, 3, 4);

    assertThat(recent.now())
        .extracting(Happening::kind)
        .containsExactly(Timeline.Action.STORE, Timeline.Action.FLUSH, Timeline.Action.FENCE);
  }
}
