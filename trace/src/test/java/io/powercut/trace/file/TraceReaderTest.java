// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FileAttributes;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.LockKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceException;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import io.powercut.trace.replay.TraceDump;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {
  @TempDir private Path folder;
  private Path directory;

  @BeforeEach
  void setUp() throws IOException {
    directory = Files.createDirectory(folder.resolve("trace"));
  }

  static List<TraceEvent> events(Path trace) throws IOException {
    List<TraceEvent> events = new ArrayList<>();
    TraceReader.of(trace).read(TraceEvent.consumer(events::add));
    return events;
  }

  @Test
  void shouldDecodeEveryKindOfRecord() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    long location = Location.of(1, 0x40);
    writer.file(1, TraceFormat.FILE_NEW, 5, "pööl");
    writer.storeWithFlags(StoreFlags.NON_TEMPORAL, 7, 8, location, new byte[] {1, 2, 3});
    writer.flush(FlushKind.CLWB, 8, location);
    writer.fence(FenceKind.MFENCE, 9);
    writer.sync(SyncKind.FSYNC, 0, location, 4096, 1);
    writer.path(TraceFormat.FILE_RENAME, 1, 1, "/elsewhere");
    writer.path(TraceFormat.FILE_LINK, 0, 1, "a/b");
    writer.path(TraceFormat.FILE_DELETE, 1, 1, "a/b");
    writer.paths(TraceFormat.DIR_RENAME, "old", "newer");
    writer.module(3, "/bin/pm.elf");
    writer.site(4, 3, 0x1150, "persist", "/src/pm.c", 2);
    writer.stack(5, new FailurePointId(77), true, 4, 4);
    writer.record(70, 0, 9, TraceWriter.body().putLong(1));
    writer.end();

    assertThat(events(directory))
        .containsExactly(
            new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.CREATED, 5, "pööl"),
            new TraceEvent.Store(
                1,
                1,
                StoreFlags.NON_TEMPORAL,
                7,
                8,
                location,
                ByteBuffer.wrap(new byte[] {1, 2, 3}).asReadOnlyBuffer()),
            new TraceEvent.Flush(2, 1, FlushKind.CLWB, 1, 8, location),
            new TraceEvent.Fence(3, 1, FenceKind.MFENCE, 1, 9),
            new TraceEvent.Sync(4, 1, SyncKind.FSYNC, 1, 0, location, 4096),
            new TraceEvent.FileRenamed(5, 1, 1, "/elsewhere", true),
            new TraceEvent.FileLinked(6, 1, 1, "a/b", false),
            new TraceEvent.FileDeleted(7, 1, 1, "a/b", true),
            new TraceEvent.DirectoryRenamed(8, 1, "old", "newer"),
            new TraceEvent.ModuleDefined(9, 1, 3, "/bin/pm.elf", "ab01", 0x400000),
            new TraceEvent.SiteDefined(
                10,
                1,
                4,
                3,
                0x1150,
                List.of(
                    new SourcePosition("persist", "/src/pm.c", 2),
                    new SourcePosition("main", "main.c", 99))),
            new TraceEvent.StackDefined(11, 1, 5, new FailurePointId(77), true, List.of(4, 4)),
            new TraceEvent.Reserved(12, 9, 70),
            new TraceEvent.Ended(13, 0));
  }

  @Test
  void shouldDecodeLoadsAndLocks() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    long location = Location.of(1, 0x40);
    writer.load(TraceFormat.LOAD_LOCKED, 8, location, 12);
    writer.lock(TraceFormat.ACQUIRE, TraceFormat.LOCK_SHARED, 9, 0x7f00, 2);
    writer.lock(TraceFormat.RELEASE, 0, 9, location, 7);
    writer.end();

    List<TraceEvent> expected =
        List.of(
            new TraceEvent.Load(0, 1, TraceEvent.Load.LOCKED, 1, 8, location, 12),
            new TraceEvent.Acquired(1, 1, LockKind.READER_WRITER_LOCK, true, 1, 9, 0x7f00),
            new TraceEvent.Released(2, 1, LockKind.ONCE, 1, 9, location),
            new TraceEvent.Ended(3, 0));
    assertThat(events(directory)).isEqualTo(expected);
    List<TraceEvent> second = new ArrayList<>();
    TraceReader.of(directory)
        .read(
            TraceEvent.consumer(event -> {}),
            new ForwardingTraceConsumer(TraceEvent.consumer(second::add)) {});
    assertThat(second).isEqualTo(expected);
  }

  @Test
  void shouldPrintLoadsAndLocks() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    FailurePointId id = new FailurePointId(77);
    writer.module(3, "/bin/pm.elf");
    writer.site(1, 3, 0x1150, "work", "/src/./pm.c", 2);
    writer.stack(5, id, false, 1);
    writer.load(TraceFormat.LOAD_KERNEL, 5, Location.of(1, 0x40), 12);
    writer.lock(TraceFormat.ACQUIRE, TraceFormat.LOCK_SHARED, 5, 0x7f00, 2);
    writer.lock(TraceFormat.RELEASE, 0, 5, 0x7f00, 2);
    writer.end();

    StringBuilder text = new StringBuilder();
    TraceTables tables = new TraceTables();
    TraceReader.of(directory).read(tables, new TraceDump(text, tables));

    String where = " in " + tables.frame(1) + ", stack 5 " + id;
    assertThat(tables.frame(1).position().file()).isEqualTo("/src/pm.c");
    assertThat(text.toString())
        .contains(
            "3 t1 load by the kernel 1:0x40 12 bytes" + where + "\n",
            "4 t1 acquire shared reader-writer-lock volatile:0x7f00" + where + "\n",
            "5 t1 release reader-writer-lock volatile:0x7f00" + where + "\n");
  }

  @Test
  void shouldDecodeAndPrintAllocations() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    FailurePointId id = new FailurePointId(77);
    writer.module(3, "/bin/pm.elf");
    writer.site(1, 3, 0x1150, "work", "/src/pm.c", 2);
    writer.stack(5, id, false, 1);
    writer.allocation(TraceFormat.ALLOCATING, 0);
    writer.allocation(TraceFormat.ALLOCATING, 1);
    writer.allocated(5, Location.of(1, 0x40), 24, 1);
    writer.allocation(TraceFormat.ALLOCATION_END, 1);
    writer.end();

    StringBuilder text = new StringBuilder();
    TraceTables tables = new TraceTables();
    List<TraceEvent> events = new ArrayList<>();
    TraceReader.of(directory)
        .read(tables, new TraceDump(text, tables), TraceEvent.consumer(events::add));

    assertThat(events.subList(3, 7))
        .containsExactly(
            new TraceEvent.Allocating(3, 1, 0),
            new TraceEvent.Allocating(4, 1, 1),
            new TraceEvent.Allocated(5, 1, 1, 5, Location.of(1, 0x40), 24, 1),
            new TraceEvent.AllocationEnded(6, 1, 1));
    assertThat(text.toString())
        .contains(
            "3 t1 allocating\n",
            "4 t1 allocating, at depth 1\n",
            "5 t1 allocated 1:0x40 24 bytes in " + tables.frame(1) + ", stack 5 " + id + "\n",
            "6 t1 end of allocating, at depth 1\n");
  }

  @Test
  void shouldDecodeAndPrintWhatACallZeroed() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    writer.file(1, 0, 10, "pool");
    writer.storeWithFlags(StoreFlags.ZEROED, 0, 0, Location.of(1, 2), new byte[3]);
    for (int flags : new int[] {TraceFormat.PUNCH_STORED, 0}) {
      ByteBuffer body = TraceWriter.body().putInt(1).putInt(0).putLong(2).putLong(3);
      writer.record(TraceFormat.FILE_PUNCH, flags, 1, body);
    }
    writer.end();

    assertThat(events(directory))
        .containsSubsequence(
            new TraceEvent.FileZeroed(2, 1, 1, 2, 3, true),
            new TraceEvent.FileZeroed(3, 1, 1, 2, 3));
    StringBuilder dump = new StringBuilder();
    TraceTables tables = new TraceTables();
    TraceReader.of(directory).read(tables, new TraceDump(dump, tables));
    assertThat(dump.toString()).contains("write of zeros", "000000");
  }

  @Test
  void shouldDecodeAttributes() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    writer.attributes(0, "földer", 01755, "user.mark", "done");
    writer.end();

    FileAttributes attributes =
        new FileAttributes(
            01755,
            1000,
            -2,
            new TreeMap<>(
                Map.of("user.mark", ByteBuffer.wrap("done".getBytes(StandardCharsets.UTF_8)))));
    assertThat(events(directory))
        .containsExactly(
            new TraceEvent.AttributesTold(0, 1, 0, "földer", attributes),
            new TraceEvent.Ended(1, 0));
    assertThat(attributes)
        .hasToString("mode 1755, owner 1000:4294967294, user.mark=0x646f6e65")
        .isNotEqualTo(new FileAttributes(01755, 1000, -2));
  }

  @Test
  void shouldRefuseAttributesThatContradictThemselves() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    writer.attributes(1, "", 0100644, "user.mark", "done");
    writer.end();

    assertThatThrownBy(() -> events(directory)).hasMessageContaining("attributes of mode 100644");
  }

  @Test
  void shouldTellWhichSynchronisationIsOver() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    long location = Location.of(1, 0);
    writer.sync(SyncKind.FSYNC, 0, location, 0, 1);
    writer.sync(SyncKind.MSYNC, 0, location, 4096, 2);
    writer.syncEnd(2, SyncKind.MSYNC, 22, 2);
    writer.syncEnd(3, SyncKind.FSYNC, 0, 1);
    writer.end();

    TraceEvent.Sync first = new TraceEvent.Sync(0, 1, SyncKind.FSYNC, 1, 0, location, 0);
    TraceEvent.Sync second = new TraceEvent.Sync(1, 1, SyncKind.MSYNC, 1, 0, location, 4096);
    assertThat(events(directory))
        .containsExactly(
            first,
            second,
            new TraceEvent.SyncEnded(2, 2, second, 22),
            new TraceEvent.SyncEnded(3, 3, first, 0),
            new TraceEvent.Ended(4, 0));
  }

  @Test
  void shouldRefuseTheEndOfASynchronisationThatNeverBegan() {
    TraceWriter writer = new TraceWriter(directory);
    writer.syncEnd(1, SyncKind.FSYNC, 0, 7);
    writer.end();

    assertThatThrownBy(() -> events(directory))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("synchronisation 7 ends, but has not begun");
  }

  @Test
  void shouldHandAllRecordsToSeveralConsumersInOnePass() throws IOException {
    writeStores(2000);
    List<TraceEvent> first = new ArrayList<>();
    List<TraceEvent> second = new ArrayList<>();

    long records =
        TraceReader.of(directory)
            .read(TraceEvent.consumer(first::add), TraceEvent.consumer(second::add));

    assertThat(records).isEqualTo(2001);
    assertThat(first).hasSize(2001).isEqualTo(second);
    assertThat(first).extracting(TraceEvent::ordinal).startsWith(0L, 1L).endsWith(1999L, 2000L);
  }

  private TraceWriter writeStores(int count) {
    TraceWriter writer = new TraceWriter(directory);
    for (int index = 0; index < count; index++) {
      writer.store(0, 0, Location.of(1, index), (byte) index, (byte) (index >> 8));
    }
    writer.end();
    return writer;
  }

  @Test
  void shouldReadBackAStoredTrace() throws IOException {
    writeStores(2000);
    Path stored = folder.resolve("trace.zst");
    List<TraceEvent> direct = new ArrayList<>();
    try (TraceStore store = TraceStore.create(stored)) {
      TraceReader.of(directory).storingInto(store).read(TraceEvent.consumer(direct::add));
    }
    assertThat(events(stored)).hasSize(2001).isEqualTo(direct);
  }

  @Test
  void shouldFollowAGrowingTraceUntilItSaysThatItEnded() {
    AtomicInteger seen = new AtomicInteger();
    CompletableFuture<Long> records =
        CompletableFuture.supplyAsync(
            () ->
                follow(new AtomicBoolean(), TraceEvent.consumer(event -> seen.set(index(event)))));
    TraceWriter writer = new TraceWriter(directory);
    for (int index = 0; index < 500; index++) {
      writer.store(0, 0, Location.of(1, index), (byte) 1);
      int expected = index;
      if (index % 100 == 99) {
        Awaitility.await().until(() -> seen.get() == expected);
      }
    }
    assertThat(records).isNotDone();
    writer.end();
    assertThat(records.join()).isEqualTo(501);
  }

  @Test
  void shouldFollowAKilledExecutionToItsLastRecord() {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger seen = new AtomicInteger(-1);
    CompletableFuture<Long> records =
        CompletableFuture.supplyAsync(
            () -> follow(over, TraceEvent.consumer(event -> seen.set(index(event)))));
    TraceWriter writer = new TraceWriter(directory);
    writer.store(0, 0, Location.of(1, 1), (byte) 1);
    Awaitility.await().until(() -> seen.get() == 0);
    writer.store(0, 0, Location.of(1, 1), (byte) 1);
    over.set(true);
    assertThat(records.join()).isEqualTo(2);
  }

  private long follow(AtomicBoolean over, TraceConsumer consumer) {
    try {
      return TraceReader.of(directory).following(over::get).deletingConsumedChunks().read(consumer);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static int index(TraceEvent event) {
    return (int) event.ordinal();
  }

  @Test
  void shouldDeleteConsumedChunksOnlyWhenAllIsRead() throws IOException {
    TraceWriter writer = writeStores(2000);
    assertThat(writer.chunks()).isGreaterThan(10);
    List<Integer> chunksWhileReading = new ArrayList<>();

    TraceReader.of(directory)
        .deletingConsumedChunks()
        .read(TraceEvent.consumer(event -> chunksWhileReading.add(countChunks())));

    assertThat(chunksWhileReading.get(0)).isEqualTo(writer.chunks());
    assertThat(chunksWhileReading.get(2000)).isEqualTo(1);
  }

  private int countChunks() {
    String[] names = directory.toFile().list((folder, name) -> name.startsWith("chunk-"));
    return names == null ? 0 : names.length;
  }

  @Test
  void shouldStopFollowingWhenInterrupted() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedIOException.class)
        .isThrownBy(() -> TraceReader.of(directory).following(() -> false).read());
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldReadAnExecutionThatRecordedNothing() throws IOException {
    TraceWriter writer = new TraceWriter(directory);
    writer.writeControl();
    assertThat(events(directory)).isEmpty();
  }

  @Test
  void shouldDecodeStoresWithoutAllocating() throws IOException {
    int stores = 300_000;
    TraceWriter writer = new TraceWriter(directory, 1 << 20, false);
    for (int index = 0; index < stores; index++) {
      writer.store(
          1, 0, Location.of(1, 8L * index), new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) index});
    }
    writer.end();
    AtomicLong sum = new AtomicLong();
    TraceConsumer consumer =
        new TraceConsumer() {
          @Override
          public void store(StoreRecord store) {
            sum.addAndGet(store.bytes().getLong(store.offset()) >>> 56);
          }
        };
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    TraceReader.of(directory).read(new Nobody(), consumer);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(sum).hasPositiveValue();
    assertThat(allocated).isLessThan(stores);
  }

  private static final class Nobody implements TraceConsumer {}
}
