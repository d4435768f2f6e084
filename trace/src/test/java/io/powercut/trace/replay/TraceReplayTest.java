// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.file.TraceFormat;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReplayTest {
  @TempDir private Path folder;
  private Path pm;
  private Path trace;
  private TraceWriter writer;

  @BeforeEach
  void setUp() throws IOException {
    pm = Files.createDirectory(folder.resolve("pm"));
    trace = Files.createDirectory(folder.resolve("trace"));
    Files.write(pm.resolve("pool"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    writer = new TraceWriter(trace);
    writer.file(1, 0, 8, "pool");
  }

  private void replay(long end) throws IOException {
    try (TraceReplay replay = new TraceReplay(pm, end)) {
      TraceReader.of(trace).read(replay);
    }
  }

  private byte[] pool() throws IOException {
    return Files.readAllBytes(pm.resolve("pool"));
  }

  @Test
  void shouldApplyStoresBeforeTheEndOnly() throws IOException {
    writer.store(0, 0, Location.of(1, 2), (byte) 33, (byte) 44);
    writer.store(0, 0, Location.of(1, 0), (byte) 11);
    replay(2);
    assertThat(pool()).containsExactly(1, 2, 33, 44, 5, 6, 7, 8);
  }

  @Test
  void shouldNotLetMappedStoresGrowAFileButFileWrites() throws IOException {
    writer.store(0, 0, Location.of(1, 6), (byte) 9, (byte) 9, (byte) 9, (byte) 9);
    writer.store(0, 0, Location.of(1, 20), (byte) 9);
    writer.storeWithFlags(StoreFlags.FILE_WRITE, 0, 0, Location.of(1, 9), new byte[] {7});
    replay(Long.MAX_VALUE);
    assertThat(pool()).containsExactly(1, 2, 3, 4, 5, 6, 9, 9, 0, 7);
  }

  @Test
  void shouldResizeAndZero() throws IOException {
    writer.record(TraceFormat.FILE_RESIZE, 0, 1, TraceWriter.body().putInt(1).putInt(0).putLong(4));
    writer.record(TraceFormat.FILE_RESIZE, 0, 1, TraceWriter.body().putInt(1).putInt(0).putLong(6));
    writer.record(
        TraceFormat.FILE_PUNCH, 0, 1, TraceWriter.body().putInt(1).putInt(0).putLong(1).putLong(2));
    replay(Long.MAX_VALUE);
    assertThat(pool()).containsExactly(1, 0, 0, 4, 0, 0);
  }

  @Test
  void shouldFollowNames() throws IOException {
    writer.paths(TraceFormat.DIR_CREATE, "d", "");
    writer.file(2, TraceFormat.FILE_NEW, 0, "d/new");
    writer.storeWithFlags(StoreFlags.FILE_WRITE, 0, 0, Location.of(2, 0), new byte[] {5});
    writer.path(TraceFormat.FILE_RENAME, 0, 2, "pool");
    writer.store(0, 0, Location.of(1, 0), (byte) 99);
    writer.store(0, 0, Location.of(2, 0), (byte) 6);
    writer.path(TraceFormat.FILE_LINK, 0, 2, "d/link");
    writer.paths(TraceFormat.DIR_RENAME, "d", "e");
    writer.paths(TraceFormat.SYMLINK, "s", "pool");
    replay(Long.MAX_VALUE);

    assertThat(pool()).containsExactly(6);
    assertThat(pm.resolve("e/link")).hasBinaryContent(new byte[] {6});
    assertThat(pm.resolve("d")).doesNotExist();
    assertThat(pm.resolve("s")).isSymbolicLink();
  }

  @Test
  void shouldDeleteNamesAndKeepFilesWithoutNames() throws IOException {
    writer.path(TraceFormat.FILE_DELETE, 0, 1, "pool");
    writer.store(0, 0, Location.of(1, 0), (byte) 99);
    writer.file(2, TraceFormat.FILE_NEW | TraceFormat.FILE_UNNAMED, 0, "");
    writer.storeWithFlags(StoreFlags.FILE_WRITE, 0, 0, Location.of(2, 0), new byte[] {5});
    replay(Long.MAX_VALUE);
    assertThat(pm).isEmptyDirectory();
  }

  @Test
  void shouldNeverLeaveItsDirectory() throws IOException {
    writer.file(2, TraceFormat.FILE_NEW, 0, "../outside");
    assertThatIOException()
        .isThrownBy(() -> replay(Long.MAX_VALUE))
        .withMessageContaining("\"../outside\" in the trace lies outside " + pm);
    assertThat(folder.resolve("outside")).doesNotExist();
  }

  @Test
  void shouldSayWhenTheDirectoryIsNotTheOneBeforeTheRun() throws IOException {
    Files.delete(pm.resolve("pool"));
    assertThatIOException()
        .isThrownBy(() -> replay(Long.MAX_VALUE))
        .withMessageContaining(pm.resolve("pool") + ": this file of the trace is missing");
  }
}
