// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.powercut.trace.FenceKind;
import io.powercut.trace.Location;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceException;
import io.powercut.trace.replay.TraceDump;
import io.powercut.trace.replay.TraceTables;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedTraceTest {
  @TempDir private Path folder;
  private Path directory;
  private TraceWriter writer;

  @BeforeEach
  void setUp() throws IOException {
    directory = Files.createDirectory(folder.resolve("trace"));
    writer = new TraceWriter(directory);
    for (int index = 0; index < 500; index++) {
      writer.store(0, 0, Location.of(1, index), (byte) 1);
    }
    writer.end();
    assertThat(writer.chunks()).isGreaterThan(3);
  }

  private void assertProblem(Path trace, Path file, String... words) {
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> TraceReader.of(trace).read())
        .withMessageStartingWith(file + ": ")
        .withMessageContainingAll(words);
  }

  private static void patch(Path file, long offset, byte... bytes) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(offset);
      access.write(bytes);
    }
  }

  private static void cut(Path file, long length) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(length);
    }
  }

  @Test
  void shouldSayThatThereIsNoTrace() {
    Path missing = folder.resolve("missing");
    assertProblem(missing, missing, "there is no trace of that name", "Name the trace of a run");
    assertProblem(folder, folder, "no control file");
  }

  @Test
  void shouldSayThatTheControlFileIsForeignOrOfAnotherVersionOrTruncated() throws IOException {
    Path control = directory.resolve("control");
    cut(control, 1000);
    assertProblem(directory, control, "the file is truncated");
    patch(control, 8, (byte) 9);
    assertProblem(
        directory, control, "format version 9, this Powercut reads version " + TraceFormat.VERSION);
    patch(control, 0, (byte) 'x');
    assertProblem(directory, control, "this is not a trace");
  }

  @Test
  void shouldNameAMissingChunk() throws IOException {
    Files.delete(writer.chunkFile(2));
    assertProblem(directory, writer.chunkFile(2), "this part of the trace is missing");
    Files.delete(writer.chunkFile(0));
    assertProblem(directory, writer.chunkFile(0), "this part of the trace is missing");
  }

  @Test
  void shouldNameATruncatedChunkAfterAllRecordsBefore() throws IOException {
    cut(writer.chunkFile(1), 2000);
    List<TraceEvent> events = new ArrayList<>();
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> TraceReader.of(directory).read(TraceEvent.consumer(events::add)))
        .withMessageContainingAll(
            writer.chunkFile(1) + ": at byte 2000: the file is truncated", "Record");
    assertThat(events).hasSize((TraceWriter.CHUNK_SIZE - 64) / 32);

    cut(writer.chunkFile(1), 20);
    assertProblem(directory, writer.chunkFile(1), "the file is truncated");
    cut(writer.chunkFile(1), 0);
    assertProblem(directory, writer.chunkFile(1), "the file is truncated");
  }

  @Test
  void shouldNameAForeignOrDamagedChunk() throws IOException {
    Path chunk = writer.chunkFile(1);
    patch(chunk, TraceFormat.CHUNK_USED, (byte) 1);
    assertProblem(directory, chunk, "at byte 24", "bytes used");
    patch(chunk, TraceFormat.CHUNK_NUMBER, (byte) 7);
    assertProblem(directory, chunk, "at byte 16", "it claims to be chunk 7");
    patch(chunk, TraceFormat.CHUNK_VERSION, (byte) 9);
    assertProblem(directory, chunk, "format version 9");
    patch(chunk, 0, (byte) 'X');
    assertProblem(directory, chunk, "it does not begin with \"PWCCHUNK\"");
  }

  @Test
  void shouldNameTheDamagedRecord() throws IOException {
    Path chunk = writer.chunkFile(1);
    int before = (TraceWriter.CHUNK_SIZE - 64) / 32;
    long third = 64 + 2 * 32;
    String place = "at byte " + third + ": record " + (before + 2) + " is damaged: ";

    patch(chunk, third, (byte) 60);
    assertProblem(directory, chunk, place + "there is no kind 60");
    patch(chunk, third, (byte) TraceFormat.FLUSH);
    assertProblem(directory, chunk, place + "a flush of kind 112 and 32 bytes");
    patch(chunk, third, (byte) TraceFormat.READ);
    assertProblem(directory, chunk, place + "a read of ", "want whole lines");
    patch(chunk, third, (byte) TraceFormat.STACK_DEF);
    assertProblem(directory, chunk, place);
    patch(chunk, third, (byte) TraceFormat.SITE_DEF);
    assertProblem(directory, chunk, place);
    patch(chunk, third + 4, (byte) 0);
    assertProblem(directory, chunk, place + "its length is 0");
    patch(chunk, third + 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0x7f);
    assertProblem(directory, chunk, place + "its length is " + 0x7f000000);
  }

  @Test
  void shouldNameDamagedLoadsAndLocks() throws IOException {
    long location = Location.of(1, 0x40);
    assertDamaged("a load of 0 bytes at 1:0x40", to -> to.load(0, 1, location, 0));
    assertDamaged("a load of -1 bytes at", to -> to.load(0, 1, location, -1));
    long room = (1L << Location.OFFSET_BITS) - 0x40;
    assertDamaged("a load of " + (room + 1) + " bytes", to -> to.load(0, 1, location, room + 1));
    assertDamaged("a load from volatile memory", to -> to.load(0, 1, 0x40, 8));
    assertDamaged("a load with flags 4 and of 32 bytes", to -> to.load(4, 1, location, 8));
    assertDamaged(
        "a load with flags 0 and of 16 bytes",
        to -> to.record(TraceFormat.LOAD, 0, 1, TraceWriter.body().putLong(1)));
    assertDamaged("an allocation of 0 bytes", to -> to.allocated(1, location, 0, 0));
    assertDamaged(
        "an allocation of " + (room + 1) + " bytes", to -> to.allocated(1, location, room + 1, 0));
    assertDamaged(
        "an acquire of kind 99 with flags 0", to -> to.lock(TraceFormat.ACQUIRE, 0, 1, 7, 99));
    assertDamaged(
        "an acquire of kind 2 with flags 2", to -> to.lock(TraceFormat.ACQUIRE, 2, 1, 7, 2));
    assertDamaged(
        "a release of kind 2 with flags 1", to -> to.lock(TraceFormat.RELEASE, 1, 1, 7, 2));
    assertDamaged(
        "it is 16 bytes long but has a field at 24",
        to -> to.record(TraceFormat.RELEASE, 0, 1, TraceWriter.body().putLong(1)));
  }

  private void assertDamaged(String problem, Consumer<TraceWriter> record) throws IOException {
    Path trace = Files.createTempDirectory(folder, "damaged");
    TraceWriter damaged = new TraceWriter(trace);
    record.accept(damaged);
    damaged.end();
    assertProblem(trace, damaged.chunkFile(0), "record 0 is damaged: " + problem);
  }

  @Test
  void shouldNeverFailInAnyOtherWayWhateverTheBytes() throws IOException {
    byte[] original = Files.readAllBytes(writer.chunkFile(1));
    java.util.Random random = new java.util.Random(7);
    for (int round = 0; round < 500; round++) {
      byte[] damaged = original.clone();
      for (int count = 0; count < 4; count++) {
        // Mostly in a record's header, where it hurts.
        int record = 64 + 32 * random.nextInt(120);
        damaged[record + random.nextInt(12)] = (byte) random.nextInt(128);
      }
      Files.write(writer.chunkFile(1), damaged);
      try {
        TraceTables tables = new TraceTables();
        TraceReader.of(directory).read(tables, new TraceDump(new StringBuilder(), tables));
      } catch (TraceException expected) {
        assertThat(expected).hasMessageContaining("chunk-0000000");
      }
    }
  }

  @Test
  void shouldNameADamagedStoredTrace() throws IOException {
    Path stored = folder.resolve("trace.zst");
    try (TraceStore store = TraceStore.create(stored)) {
      TraceReader.of(directory).storingInto(store).read();
    }
    byte[] whole = Files.readAllBytes(stored);

    for (int length = 1; length < whole.length; length += 97) {
      Files.write(stored, Arrays.copyOf(whole, length));
      assertProblem(stored, stored, "at byte ");
    }
    Files.write(stored, Arrays.copyOf(whole, whole.length - 1));
    assertProblem(stored, stored, "trace");

    byte[] damaged = whole.clone();
    damaged[whole.length / 2] ^= 1;
    Files.write(stored, damaged);
    assertProblem(stored, stored, "damaged");
    Files.writeString(stored, "something else");
    assertProblem(stored, stored, "this is not a stored trace");
  }

  @Test
  void shouldNotCallAStoreCompleteThatWasAbandoned() throws IOException {
    Path stored = folder.resolve("trace.zst");
    try (TraceStore store = TraceStore.create(stored)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  TraceReader.of(directory)
                      .storingInto(store)
                      .read(
                          new TraceConsumer() {
                            @Override
                            public void event(TraceEvent event) throws IOException {
                              throw new IOException("no more");
                            }
                          }));
    }
    assertProblem(stored, stored, "the stored trace is truncated");
  }

  @Test
  void shouldNameRecordsThatUseWhatIsNotDefined() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    TraceWriter incomplete = new TraceWriter(other);
    incomplete.fence(FenceKind.SFENCE, 3);
    incomplete.end();
    TraceTables tables = new TraceTables();
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(
            () -> TraceReader.of(other).read(tables, new TraceDump(new StringBuilder(), tables)))
        .withMessageContaining("at byte 64: record 0 is damaged: the trace does not define site 1");
  }
}
