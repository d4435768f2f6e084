// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A log of 100 bytes gets longer. Stores are known by when they were made. */
class GrowingWritesTest {
  private static final int LOG = 1;
  private static final int OTHER = 2;

  private final GrowingWrites writes = new GrowingWrites(Set.of(10L, 20L, 30L));

  GrowingWritesTest() {
    define(LOG, 100);
    define(OTHER, 100);
  }

  private void define(int file, long size) {
    writes.event(
        new TraceEvent.FileDefined(0, 1, file, TraceEvent.FileState.EXISTING, size, "f" + file));
  }

  private void resize(int thread, int file, long size) {
    writes.event(new TraceEvent.FileResized(1, thread, file, size));
  }

  private void write(long ordinal, int thread, int file, long offset, int size, int more) {
    int flags = StoreFlags.FILE_WRITE | more;
    writes.store(
        new StoreRecord(
            ordinal,
            thread,
            flags,
            1,
            1,
            Location.of(file, offset),
            size,
            ByteBuffer.allocate(size),
            0));
  }

  private boolean made(long store, long offset) {
    return writes.made(store, Location.of(LOG, offset));
  }

  @Test
  void writeBehindTheEndShouldMakeTheFileLonger() {
    resize(1, LOG, 110);
    write(10, 1, LOG, 100, 10, 0);
    write(20, 1, LOG, 90, 10, 0);

    assertThat(made(10, 64)).isTrue();
    assertThat(made(20, 64)).isFalse();
  }

  @Test
  void lineBeforeTheFormerEndShouldNotBeBehindIt() {
    resize(1, LOG, 210);
    write(10, 1, LOG, 0, 210, 0);

    assertThat(made(10, 0)).isFalse();
    assertThat(made(10, 64)).isTrue();
    assertThat(made(10, 192)).isTrue();
  }

  private void sync(SyncKind kind, int file) {
    TraceEvent.Sync call =
        new TraceEvent.Sync(5, 1, kind, 0, 0, file == 0 ? 0 : Location.of(file, 0), 0);
    writes.event(new TraceEvent.SyncEnded(6, 1, call, 0));
  }

  @Test
  void whatIsWrittenAnewShouldNotBeBehindTheEnd() {
    resize(1, LOG, 0);
    resize(1, LOG, 90);
    write(10, 1, LOG, 0, 90, 0);
    resize(1, LOG, 200);
    write(20, 1, LOG, 90, 110, 0);

    assertThat(made(10, 64)).isFalse();
    assertThat(made(20, 128)).isFalse();
  }

  @Test
  void fileThatIsSynchronisedAfterItWasTruncatedShouldBeAppendedTo() {
    long ordinal = 0;
    for (SyncKind kind : List.of(SyncKind.FSYNC, SyncKind.SYNC, SyncKind.DIRECTORY)) {
      ordinal += 10;
      resize(1, LOG, 200);
      resize(1, LOG, 0);
      sync(SyncKind.FSYNC, OTHER);
      sync(kind, kind == SyncKind.FSYNC ? LOG : 0);
      resize(1, LOG, 90);
      write(ordinal, 1, LOG, 0, 90, 0);

      assertThat(made(ordinal, 64)).isEqualTo(kind.isGuarantee());
    }
  }

  @Test
  void writeOfSeveralRecordsShouldGoByItsFirst() {
    resize(1, LOG, 120);
    write(10, 1, LOG, 100, 10, StoreFlags.MORE);
    write(11, 1, LOG, 110, 10, 0);

    assertThat(made(10, 64)).isTrue();
    assertThat(made(11, 64)).isFalse();
  }

  @Test
  void fileThatIsExtendedFirstShouldNotGrowByTheWrite() {
    resize(1, LOG, 4096);
    write(10, 1, LOG, 100, 10, 0);

    assertThat(made(10, 64)).isFalse();
  }

  @Test
  void otherThreadsAndFilesShouldHaveTheirOwnEnds() {
    resize(1, LOG, 110);
    resize(2, OTHER, 110);
    write(20, 2, OTHER, 100, 10, 0);
    write(10, 1, LOG, 100, 10, 0);

    assertThat(made(10, 64)).isTrue();
    assertThat(writes.made(20, Location.of(OTHER, 64))).isTrue();
  }

  @Test
  void shorterFileShouldNotCount() {
    resize(1, LOG, 50);
    write(10, 1, LOG, 40, 10, 0);
    sync(SyncKind.FDATASYNC, LOG);
    resize(1, LOG, 60);
    write(20, 1, LOG, 50, 10, 0);

    assertThat(made(10, 0)).isFalse();
    assertThat(made(20, 0)).isTrue();
  }
}
