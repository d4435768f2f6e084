// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.choice.ChoiceOptions;
import io.powercut.persistency.choice.StateChoice;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WholeBlocksTest {
  private static final int SIZE = 1 << 20;
  private static final int LINES = WholeBlocks.BLOCK / 64;

  /** Before the run, every byte is 7 but those of one line, which is zero. */
  private final CacheLineTracker model =
      new CacheLineTracker(
          PersistencyDomain.ADR,
          (file, offset, into) -> Arrays.fill(into, (byte) (offset == 192 ? 0 : 7)));

  private long ordinal = 1;

  @BeforeEach
  void defineFile() {
    model.event(new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, SIZE, "pool"));
  }

  private void store(long offset, byte[] value, int flags) throws IOException {
    for (int at = 0; at < value.length; at += 1 << 16) {
      int size = Math.min(1 << 16, value.length - at);
      int more = at + size < value.length ? StoreFlags.MORE : 0;
      model.store(
          new StoreRecord(
              ordinal++,
              1,
              flags | more,
              10,
              10,
              Location.of(1, offset + at),
              size,
              ByteBuffer.wrap(value, at, size).slice(),
              0));
    }
  }

  /** As the trace of a punched hole says it. */
  private void punch(long offset, int size) throws IOException {
    store(offset, new byte[size], StoreFlags.ZEROED);
    model.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, offset, size, true));
  }

  private void store(long offset) throws IOException {
    store(offset, new byte[] {9, 9, 9, 9, 9, 9, 9, 9}, 0);
  }

  private void persist(long offset) {
    model.flush(ordinal++, 1, FlushKind.CLWB, 10, 10, Location.of(1, offset));
    model.fence(ordinal++, 1, FenceKind.SFENCE, 10, 10);
  }

  private void sync() {
    TraceEvent.Sync sync =
        new TraceEvent.Sync(ordinal++, 1, SyncKind.FSYNC, 10, 10, Location.of(1, 0), SIZE);
    model.event(sync);
    model.event(new TraceEvent.SyncEnded(ordinal++, 1, sync, 0));
  }

  private CrashStates states() {
    return CrashStates.of(model);
  }

  private LineDifference lost(long offset) {
    return states().line(Location.of(1, offset)).orElseThrow().guaranteed().orElseThrow();
  }

  private CrashState losing(long... offsets) {
    return CrashState.of(Arrays.stream(offsets).mapToObj(this::lost).toList());
  }

  private CrashState whole(CrashState state) {
    return new WholeBlocks(states()).whole(state);
  }

  /** The lines of a block but for the one that was zero before. */
  private long[] block(long offset) {
    return LongStream.range(0, LINES)
        .map(line -> offset + 64 * line)
        .filter(line -> line != 192)
        .toArray();
  }

  @Test
  void whatWasZeroedShouldBeLostUntilTheFileIsSynchronised() throws IOException {
    punch(0, 8192);
    assertThat(states().size()).isEqualTo(2 * LINES);
    assertThat(states().everythingLost().differences()).hasSize(2 * LINES - 1);
    sync();
    assertThat(states().isEmpty()).isTrue();
  }

  @Test
  void flushShouldNotPersistWhatWasZeroedButForWhatWasStoredSince() throws IOException {
    punch(0, 128);
    store(0);
    persist(0);
    persist(64);
    assertThat(states().lines())
        .extracting(InFlightLine::location)
        .containsExactly(Location.of(1, 64));
    model.flush(ordinal++, 1, FlushKind.CLFLUSH, 10, 10, Location.of(1, 64));
    assertThat(states().size()).isEqualTo(1);
  }

  @Test
  void flushShouldPersistWhatWasStoredBeforeAndNotWhatWasZeroedSince() throws IOException {
    store(0);
    punch(0, 64);
    persist(0);
    assertThat(lost(0).bytes()).startsWith(9, 9, 9, 9, 9, 9, 9, 9, 7);
  }

  @Test
  void zeroedBytesThatNoStoreTellsShouldPersistAtOnce() throws IOException {
    store(0);
    model.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, 0, 64));
    assertThat(states().isEmpty()).isTrue();
  }

  @Test
  void lostLineShouldLoseItsBlock() throws IOException {
    punch(0, 8192);
    assertThat(whole(losing(64))).isEqualTo(losing(block(0)));
    assertThat(whole(losing(4096))).isEqualTo(losing(block(4096)));
    assertThat(whole(losing(block(0)))).isEqualTo(losing(block(0)));
  }

  @Test
  void tornLineShouldLoseItsBlock() throws IOException {
    punch(0, 8192);
    InFlightLine line = states().line(Location.of(1, 64)).orElseThrow();
    CrashState torn = CrashState.of(List.of(line.tears().get(0)));
    assertThat(whole(torn)).isEqualTo(losing(block(0)));
  }

  @Test
  void earlyLineShouldHaveItsBlockEarly() throws IOException {
    punch(0, 8192);
    CrashState all = states().everythingLost();
    assertThat(whole(all)).isEqualTo(all);
    assertThat(whole(all.without(Set.of(Location.of(1, 64))))).isEqualTo(losing(block(4096)));
  }

  /** That line holds zeros, whether what was zeroed is lost or not. */
  @Test
  void lineThatHoldsTheSameInBothShouldNotCount() throws IOException {
    store(0, new byte[64], 0);
    store(256, new byte[64], 0);
    punch(0, 512);
    CrashState all = losing(0, 64, 128, 256, 320, 384, 448);
    assertThat(states().everythingLost()).isEqualTo(all);
    assertThat(whole(all)).isEqualTo(all);
    CrashState others = losing(64, 128, 320, 384, 448);
    assertThat(whole(others)).isEqualTo(others);
  }

  @Test
  void storesSinceShouldBeLostByThemselves() throws IOException {
    punch(0, 4096);
    store(64);
    CrashState state =
        CrashState.of(
            List.of(
                states().line(Location.of(1, 64)).orElseThrow().before(ordinal - 1).orElseThrow()));
    assertThat(whole(state)).isEqualTo(state);
  }

  @Test
  void storesOfOtherCallsShouldStayTorn() throws IOException {
    store(0, new byte[4096], StoreFlags.FILE_WRITE);
    assertThat(whole(losing(64))).isEqualTo(losing(64));
  }

  @Test
  void bytesThatStayShouldSayWhetherABlockIsThere() throws IOException {
    punch(0, 4096);
    WholeBlocks blocks = new WholeBlocks(states());
    CrashState torn = losing(64, 128);
    assertThat(blocks.whole(torn, line -> line == Location.of(1, 64) ? -1 : 0))
        .contains(losing(block(0)));
    assertThat(blocks.whole(torn, line -> line == Location.of(1, 0) ? 1 : 0))
        .contains(CrashState.of(List.of()));
    assertThat(blocks.whole(torn, line -> line <= Location.of(1, 64) ? 1 : 0)).isEmpty();
  }

  @Test
  void lineShouldOnlyCountAsFarAsItsBytesStay() throws IOException {
    punch(0, 4096);
    WholeBlocks blocks = new WholeBlocks(states());
    InFlightLine line = states().line(Location.of(1, 64)).orElseThrow();
    LineDifference firstUnitLost =
        line.tears().stream().filter(one -> one.changed() == 0xff).findFirst().orElseThrow();
    CrashState torn = CrashState.of(List.of(firstUnitLost));
    assertThat(blocks.whole(torn, location -> location == line.location() ? 0xff : 0))
        .contains(losing(block(0)));
    assertThat(blocks.whole(torn, location -> location == line.location() ? 0xff00 : 0))
        .contains(CrashState.of(List.of()));
    assertThat(blocks.whole(torn, location -> location == line.location() ? -1 : 0)).isEmpty();
  }

  @Test
  void cachesThatPersistShouldNotPersistWhatWasZeroed() throws IOException {
    CacheLineTracker caches =
        new CacheLineTracker(
            PersistencyDomain.EADR, (file, offset, into) -> Arrays.fill(into, (byte) 7));
    caches.event(new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, SIZE, "pool"));
    ByteBuffer zeros = ByteBuffer.allocate(128);
    caches.store(
        new StoreRecord(1, 1, StoreFlags.ZEROED, 10, 10, Location.of(1, 0), 128, zeros, 0));
    assertThat(CrashStates.of(caches).size()).isEqualTo(2);
    caches.store(new StoreRecord(2, 1, 0, 10, 10, Location.of(1, 0), 8, zeros, 0));
    assertThat(CrashStates.of(caches).size()).isEqualTo(1);
  }

  @Test
  void noChosenStateShouldTearABlock() throws IOException {
    punch(0, 8192);
    List<Candidate> chosen =
        new StateChoice(new ChoiceOptions(true, true, true, 8, 1, 2, 48, 32))
            .choose(states(), StateShare.USUAL)
            .states();
    Set<CrashState> found = new HashSet<>();
    chosen.forEach(candidate -> found.add(candidate.state()));
    assertThat(found)
        .contains(states().everythingLost(), losing(block(0)), losing(block(4096)))
        .hasSameSizeAs(chosen)
        .allSatisfy(state -> assertThat(whole(state)).isEqualTo(state));
  }

  /** More lines than are known one by one. */
  @Test
  void largeStatesShouldNotTearBlocks() throws IOException {
    punch(0, SIZE);
    LineDifference early = lost(8192);
    CrashState state = CrashStatePolicy.OneLineEarly.allBut(states(), List.of(), early);
    byte[] seen = new byte[SIZE / 64];
    state.lines(1, 0, SIZE, (offset, content) -> seen[(int) (offset / 64)] = content[0]);
    for (int line = 0; line < seen.length; line++) {
      boolean isEarly = line / LINES == 2 || line == 3;
      assertThat(seen[line]).as("line %s", line).isEqualTo((byte) (isEarly ? 0 : 7));
    }
    byte[] chance = new byte[SIZE / 64];
    states()
        .lostByChance(5)
        .lines(1, 0, SIZE, (offset, content) -> chance[(int) (offset / 64)] = content[0]);
    for (int line = 4; line < chance.length; line++) {
      assertThat(chance[line]).as("line %s", line).isEqualTo(chance[line / LINES * LINES]);
    }
    assertThat(chance).contains(0, 7);
  }
}
