// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.PmContents;
import io.powercut.persistency.scratch.Scratch;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Very much that is in flight at a time: what it costs, and that nothing of it is forgotten. */
@Tag("bulk")
class BulkStoresTest {
  private static final int LINE = 64;
  private static final int VECTOR = 32;
  private static final long MEGABYTE = 1 << 20;
  private static final long FILE_BYTES = 1L << 36;
  private static final int MEMSET = 5;

  @TempDir private Path directory;

  private FileChannel room;
  private CacheLineTracker pending;
  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private long ordinal;

  /** A file of zeros. */
  private final class Zeros implements PmContents {
    @Override
    public void read(int file, long offset, byte[] into) {
      Arrays.fill(into, (byte) 0);
    }

    @Override
    public Optional<Scratch> newScratch() {
      return Optional.of(new Room());
    }
  }

  private final class Room implements Scratch {
    @Override
    public void write(long position, byte[] from) throws IOException {
      room.write(ByteBuffer.wrap(from), position);
    }

    @Override
    public void read(long position, byte[] into) throws IOException {
      room.read(ByteBuffer.wrap(into), position);
    }
  }

  @BeforeEach
  void begin() throws IOException {
    room =
        FileChannel.open(
            directory.resolve("room"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    pending = new CacheLineTracker(PersistencyDomain.ADR, new Zeros());
    pending.event(
        new TraceEvent.FileDefined(
            ordinal++, 1, 1, TraceEvent.FileState.EXISTING, FILE_BYTES, "pool"));
  }

  @AfterEach
  void end() throws IOException {
    room.close();
  }

  private void store(long offset, int size, int site, int flags) throws IOException {
    pending.store(
        new StoreRecord(ordinal++, 1, flags, site, site, Location.of(1, offset), size, bytes, 0));
  }

  /** As glibc does it: four instructions in turn, each stores half a line. */
  private void memset(long offset, long size, int value) throws IOException {
    Arrays.fill(bytes.array(), (byte) value);
    for (long done = 0; done < size; done += VECTOR) {
      store(offset + done, VECTOR, MEMSET + (int) (done / VECTOR % 4), 0);
    }
  }

  private void flushAndFence(long offset, long size) {
    for (long done = 0; done < size; done += LINE) {
      pending.flush(ordinal++, 1, FlushKind.CLWB, 0, 0, Location.of(1, offset + done));
    }
    pending.fence(ordinal++, 1, FenceKind.SFENCE, 0, 0);
  }

  private TraceEvent.Sync fsync() {
    TraceEvent.Sync sync =
        new TraceEvent.Sync(ordinal++, 1, SyncKind.FSYNC, 1, 1, Location.of(1, 0), 0);
    pending.event(sync);
    return sync;
  }

  private static long usedHeap() {
    for (int round = 0; round < 3; round++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void linesOfOneLoopShouldCostAByteEach() throws IOException {
    long before = usedHeap();
    memset(0, 32 * MEGABYTE, 7);
    CrashStates states = CrashStates.of(pending);
    long lines = 32 * MEGABYTE / LINE;

    assertThat(usedHeap() - before).isLessThan(lines * 5 / 4 + 3 * MEGABYTE);
    assertThat(states.size()).isEqualTo(lines);
    assertThat(states.isComplete()).isTrue();
    CrashState lost = states.everythingLost();
    assertThat(lost.pages(1)).hasSize((int) (32 * MEGABYTE / 4096));
    assertThat(usedHeap() - before).isLessThan(lines * 5 / 4 + 3 * MEGABYTE);

    flushAndFence(0, 32 * MEGABYTE);
    assertThat(CrashStates.of(pending).isEmpty()).isTrue();
    assertThat(pending.inFlightPlaces()).isZero();
    assertThat(states.size()).isEqualTo(lines);
  }

  @Test
  void whatLinesHoldShouldNotBeOnTheHeap() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long before = usedHeap();
    for (long offset = 0; offset < 32 * MEGABYTE; offset += VECTOR) {
      for (int word = 0; word < VECTOR; word += Long.BYTES) {
        bytes.putLong(word, random.nextLong());
      }
      store(offset, VECTOR, MEMSET, 0);
    }
    assertThat(usedHeap() - before).isLessThan(12 * MEGABYTE);
    CrashStates states = CrashStates.of(pending);
    assertThat(states.line(Location.of(1, 4096)).orElseThrow().stores()).hasSize(2);
    TraceEvent.Sync sync = fsync();
    pending.event(new TraceEvent.SyncEnded(ordinal++, 1, sync, 0));
    assertThat(CrashStates.of(pending).isEmpty()).isTrue();
    assertThat(states.line(Location.of(1, 16 * MEGABYTE))).isPresent();
  }

  @Test
  void oneLargeWriteShouldCostNoMoreThanALoop() throws IOException {
    long before = usedHeap();
    for (long offset = 0; offset < 32 * MEGABYTE; offset += 1 << 16) {
      store(offset, 1 << 16, 9, StoreFlags.FILE_WRITE | StoreFlags.MORE);
    }
    store(32 * MEGABYTE, LINE, 9, StoreFlags.FILE_WRITE);

    assertThat(usedHeap() - before).isLessThan(6 * MEGABYTE);
    assertThat(CrashStates.of(pending).line(Location.of(1, 0)).orElseThrow().stores())
        .singleElement()
        .extracting(InFlightStore::ordinal)
        .isEqualTo(1L);
  }

  /** As {@code rep stosq} does it; what makes it one instruction is kept with very many lines. */
  @Test
  void oneStringInstructionShouldCostNoMoreThanALoop() throws IOException {
    Arrays.fill(bytes.array(), (byte) 7);
    long before = usedHeap();
    int flags = 0;
    for (long offset = 0; offset < 8 * MEGABYTE; offset += Long.BYTES) {
      store(offset, Long.BYTES, MEMSET, flags);
      flags = StoreFlags.ELEMENT;
    }

    assertThat(usedHeap() - before).isLessThan(8 * MEGABYTE / LINE * 5 / 4 + 2 * MEGABYTE);
    CrashStates states = CrashStates.of(pending);
    assertThat(states.size()).isEqualTo(8 * MEGABYTE / LINE);
    for (long line : List.of(0L, 4 * MEGABYTE, 8 * MEGABYTE - LINE)) {
      InFlightLine string = states.line(Location.of(1, line)).orElseThrow();
      assertThat(string.contents()).as("any of the eight may be missing").isEqualTo(1 << 8);
      assertThat(string.tears()).hasSize(8);
      assertThat(string.mostTears()).isEqualTo(8);
      assertThat(string.mostPrefixes()).isEqualTo(8);
    }
  }

  /** Of a string instruction that goes backwards over much and comes by again. */
  @Test
  void elementsShouldBeOfOneInstructionWhateverComesBetween() throws IOException {
    store(0, Long.BYTES, MEMSET, 0);
    for (long offset = LINE; offset < MEGABYTE; offset += LINE) {
      store(offset, Long.BYTES, MEMSET, StoreFlags.ELEMENT);
    }
    bytes.putLong(0, 1);
    store(Long.BYTES, Long.BYTES, MEMSET, StoreFlags.ELEMENT);
    bytes.putLong(0, 2);
    store(2 * Long.BYTES, Long.BYTES, MEMSET, 0);

    InFlightLine line = CrashStates.of(pending).line(Location.of(1, 0)).orElseThrow();
    assertThat(line.stores()).extracting(InFlightStore::group).containsExactly(1, 1, 2);
  }

  @Test
  void whatIsStoredWhileASynchronisationRunsShouldStayInFlight() throws IOException {
    memset(0, 4 * MEGABYTE, 7);
    TraceEvent.Sync sync = fsync();
    memset(2 * MEGABYTE, MEGABYTE, 9);
    CrashStates before = CrashStates.of(pending);
    pending.event(new TraceEvent.SyncEnded(ordinal++, 1, sync, 5));
    assertThat(CrashStates.of(pending).size()).isEqualTo(before.size());

    pending.event(new TraceEvent.SyncEnded(ordinal++, 1, sync, 0));
    CrashStates states = CrashStates.of(pending);

    assertThat(before.size()).isEqualTo(4 * MEGABYTE / LINE);
    assertThat(states.size()).isEqualTo(MEGABYTE / LINE);
    Map<Long, Byte> lost = held(states.everythingLost());
    assertThat(lost).hasSize((int) (MEGABYTE / LINE)).containsKey(2 * MEGABYTE);
    assertThat(lost.values()).containsOnly((byte) 7);
  }

  @Test
  void linesWithoutAnyOrderShouldCostAFewWordsEach() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long before = usedHeap();
    int lines = 200_000;
    for (int line = 0; line < lines; line++) {
      bytes.putLong(0, line + 1);
      store(random.nextLong(FILE_BYTES / LINE) * LINE, Long.BYTES, MEMSET, 0);
    }

    CrashStates states = CrashStates.of(pending);
    // Some lines were stored to twice.
    assertThat(states.size()).isBetween(lines * 99L / 100, (long) lines);
    // Nearly each is the only one of its page, and many of their 2 MiB.
    assertThat(usedHeap() - before).isLessThan(lines * 512L);
    assertThat(states.sample(100)).hasSize(100);
  }

  @Test
  void alternatingLinesShouldCostAsLittleAsAllOfThem() throws IOException {
    long before = usedHeap();
    for (long offset = 0; offset < 32 * MEGABYTE; offset += 2 * LINE) {
      bytes.putLong(0, 8);
      store(offset, Long.BYTES, MEMSET, 0);
    }

    assertThat(usedHeap() - before).isLessThan(32 * MEGABYTE / 2 / LINE * 5 / 2 + 4 * MEGABYTE);
  }

  /** What was a few lines with all that is known of them is compared with what was written away. */
  @Test
  void statesOfVeryManyLinesShouldHoldWhatTheRuleSays() throws IOException {
    memset(0, MEGABYTE, 7);
    memset(MEGABYTE / 2, MEGABYTE, 9);
    CrashStates states = CrashStates.of(pending);
    assertThat(states.isFew()).isFalse();

    Map<Long, Byte> everything = held(states.everythingLost());
    assertThat(everything).hasSize((int) (3 * MEGABYTE / 2 / LINE)).containsEntry(0L, (byte) 0);
    assertThat(everything.values()).containsOnly((byte) 0);

    long second = 1 + MEGABYTE / VECTOR;
    Map<Long, Byte> before = held(states.before(second));
    assertThat(before.get(0L)).isEqualTo((byte) 7);
    assertThat(before.get(MEGABYTE / 2)).isEqualTo((byte) 7);
    assertThat(before.get(MEGABYTE)).isEqualTo((byte) 0);

    CrashState butOne = states.everythingLostBut(Set.of(Location.of(1, 4096)));
    assertThat(held(butOne)).hasSize(everything.size() - 1).doesNotContainKey(4096L);
  }

  private static Map<Long, Byte> held(CrashState state) {
    Map<Long, Byte> held = new HashMap<>();
    for (long page : state.pages(1)) {
      state.lines(1, page, page + 4096, (offset, content) -> held.put(offset, content[0]));
    }
    return held;
  }

  @Test
  void partsOfAStateShouldHaveAllItsLinesOnce() throws IOException {
    memset(0, 4 * MEGABYTE, 7);
    CrashState lost = CrashStates.of(pending).everythingLost();

    List<CrashState> parts = lost.parts(8);

    assertThat(parts).hasSize(8);
    Map<Long, Byte> all = new HashMap<>();
    for (CrashState part : parts) {
      Map<Long, Byte> held = held(part);
      assertThat(held.size()).isBetween(1000, 12_000);
      assertThat(Collections.disjoint(all.keySet(), held.keySet())).isTrue();
      all.putAll(held);
    }
    assertThat(all.equals(held(lost))).isTrue();
    assertThat(held(CrashState.all(parts.subList(2, 4))))
        .hasSize(held(parts.get(2)).size() + held(parts.get(3)).size());
  }

  @Test
  void linesOfRareCodeShouldBeInTheSampleAllTheSame() throws IOException {
    memset(0, 4 * MEGABYTE, 7);
    store(16 * MEGABYTE, Long.BYTES, 77, 0);
    memset(32 * MEGABYTE, MEGABYTE, 7);

    List<InFlightLine> sample = CrashStates.of(pending).sample(64);

    assertThat(sample).hasSizeBetween(32, 64);
    assertThat(sample)
        .extracting(line -> Location.offset(line.location()))
        .contains(0L, 16 * MEGABYTE, 33 * MEGABYTE - LINE);
  }

  /** The values that one loop stores differ from line to line. */
  @Test
  void lastOfManyStoresThatPersistedShouldBeKnown() throws IOException {
    for (long line = 0; line < 4 * MEGABYTE / LINE; line++) {
      for (int word = 0; word < LINE; word += Long.BYTES) {
        bytes.putLong(0, (line + 1) * 0x9e3779b97f4a7c15L);
        store(line * LINE + word, Long.BYTES, MEMSET, 0);
      }
    }
    long last = ordinal - 1 - 3 * MEGABYTE / Long.BYTES;
    TraceEvent.Sync sync =
        new TraceEvent.Sync(ordinal++, 1, SyncKind.MSYNC, 0, 0, Location.of(1, 0), MEGABYTE);
    pending.event(sync);

    assertThat(pending.lastDeparted()).isEqualTo(-1);
    pending.event(new TraceEvent.SyncEnded(ordinal++, 1, sync, 0));
    assertThat(pending.lastDeparted()).isEqualTo(last);
  }

  @Test
  void aFewBytesShouldPersistOutOfVeryManyLines() throws IOException {
    memset(0, 4 * MEGABYTE, 7);
    flushAndFence(2 * MEGABYTE, LINE);
    pending.event(new TraceEvent.FileZeroed(ordinal++, 1, 1, MEGABYTE + 8, 4096));
    CrashStates states = CrashStates.of(pending);

    assertThat(states.line(Location.of(1, 2 * MEGABYTE))).isEmpty();
    assertThat(states.line(Location.of(1, 2 * MEGABYTE + LINE))).isPresent();
    assertThat(states.line(Location.of(1, MEGABYTE)).orElseThrow().stores().get(0).bytes())
        .isEqualTo(0xffL);
    assertThat(states.line(Location.of(1, MEGABYTE + LINE))).isEmpty();
    assertThat(states.size()).isEqualTo(4 * MEGABYTE / LINE - 1 - 63);
  }
}
