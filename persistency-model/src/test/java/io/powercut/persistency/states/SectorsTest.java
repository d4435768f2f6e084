// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SectorsTest {
  private static final int ENOUGH = 100;

  private final CacheLineTracker model =
      new CacheLineTracker(PersistencyDomain.ADR, (file, offset, into) -> {});
  private long ordinal = 1;

  @BeforeEach
  void defineFile() {
    model.event(
        new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, 1 << 16, "pool"));
  }

  private void store(long offset, int flags) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8).putLong(0, ordinal);
    model.store(new StoreRecord(ordinal, 1, flags, 10, 10, Location.of(1, offset), 8, bytes, 0));
    ordinal++;
  }

  /** Loses the first store to the line at an offset, and with it all others to the line. */
  private CrashState losing(long offset) {
    InFlightLine line = CrashStates.of(model).line(Location.of(1, offset)).orElseThrow();
    return CrashState.of(List.of(line.losing(line.stores().get(0))));
  }

  private Optional<List<CrashState>> instead(CrashState state, int most) {
    return new Sectors(CrashStates.of(model)).instead(state, most);
  }

  private CrashState before(long time) {
    return CrashStates.of(model).before(time);
  }

  @Test
  void losingTheLastStoreOfASectorShouldBePossibleOnADisk() throws IOException {
    store(0, 0);
    store(64, 0);
    assertThat(instead(losing(64), ENOUGH)).isEmpty();
  }

  @Test
  void losingAnEarlierStoreOfASectorShouldNot() throws IOException {
    store(0, 0);
    store(64, 0);
    store(128, 0);
    assertThat(instead(losing(64), ENOUGH))
        .hasValueSatisfying(states -> assertThat(states).containsExactly(before(2), before(1)));
  }

  /**
   * As of LMDB's header page, of which a snapshot can lack a store that is another one's mistake.
   */
  @Test
  void whatLosesNothingThatTheStateLosesShouldNotBeInItsPlace() throws IOException {
    store(0, 0);
    store(128, 0);
    store(8, 0);
    store(192, 0);
    assertThat(instead(losing(0), ENOUGH))
        .hasValueSatisfying(states -> assertThat(states).containsExactly(before(1)));
  }

  @Test
  void noMoreShouldBeTriedThanIsAskedFor() throws IOException {
    store(0, 0);
    store(64, 0);
    store(128, 0);
    assertThat(instead(losing(0), 1))
        .hasValueSatisfying(states -> assertThat(states).containsExactly(before(1)));
  }

  @Test
  void sectorsShouldNotDependOnEachOther() throws IOException {
    store(0, 0);
    store(512, 0);
    assertThat(instead(losing(0), ENOUGH)).isEmpty();
  }

  @Test
  void whatADiskCouldLeaveOfOtherSectorsShouldStay() throws IOException {
    store(512, 0);
    store(0, 0);
    store(64, 0);
    CrashState state = CrashState.all(List.of(losing(0), losing(512)));
    assertThat(instead(state, ENOUGH))
        .hasValueSatisfying(
            states ->
                assertThat(states)
                    .allSatisfy(
                        one ->
                            assertThat(one.differences())
                                .anyMatch(line -> line.location() == Location.of(1, 512))));
  }

  @Test
  void flushesAndStoresPastTheCacheShouldBeNoticed() throws IOException {
    assertThat(CrashStates.of(model).isCacheFlushed()).isFalse();
    store(0, 0);
    model.flush(ordinal++, 1, FlushKind.CLWB, 1, 1, 4096);
    assertThat(CrashStates.of(model).isCacheFlushed()).as("volatile memory").isFalse();
    store(64, StoreFlags.NON_TEMPORAL);
    assertThat(CrashStates.of(model).isCacheFlushed()).isTrue();
  }
}
