// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FileAttributes;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgramOrderTest {
  private final Told told = new Told();
  private final ProgramOrder order = new ProgramOrder(told);

  @Test
  void shouldLetEveryStoreReachPersistentMemoryAtOnceWhateverItsKind() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap("..ab..".getBytes(StandardCharsets.US_ASCII));
    int[] kinds = {
      0,
      StoreFlags.NON_TEMPORAL,
      StoreFlags.KERNEL,
      StoreFlags.LOCKED,
      StoreFlags.FILE_WRITE,
      StoreFlags.MORE
    };
    for (int flags : kinds) {
      order.store(new StoreRecord(1, 1, flags, 5, 0, Location.of(3, 1L << 40), 2, bytes, 2));
    }
    order.flush(2, 1, FlushKind.CLWB, 5, 0, Location.of(3, 1L << 40));
    order.fence(3, 1, FenceKind.SFENCE, 5, 0);

    assertThat(told.lines).hasSize(kinds.length).containsOnly("store 3 1099511627776 ab");
  }

  @Test
  void shouldTellWhatBecomesOfFilesAndTheirNames() throws IOException {
    order.event(new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, 4096, "pool"));
    order.event(new TraceEvent.FileDefined(1, 1, 2, TraceEvent.FileState.CREATED, 0, "new"));
    order.event(new TraceEvent.FileDefined(2, 1, 3, TraceEvent.FileState.CREATED_UNNAMED, 0, "#1"));
    order.event(new TraceEvent.FileDefined(3, 1, 4, TraceEvent.FileState.UNNAMED, 7, "#2"));
    order.event(new TraceEvent.FileResized(4, 1, 1, 8192));
    order.event(new TraceEvent.FileZeroed(5, 1, 1, 100, 200));
    order.event(new TraceEvent.FileRenamed(6, 1, 2, "newer", false));
    order.event(new TraceEvent.FileLinked(7, 1, 3, "named", false));
    order.event(new TraceEvent.FileDeleted(8, 1, 1, "pool", true));
    order.event(new TraceEvent.DirectoryCreated(9, 1, "folder"));
    order.event(new TraceEvent.DirectoryRenamed(10, 1, "folder", "other"));
    order.event(new TraceEvent.DirectoryDeleted(11, 1, "other"));
    order.event(new TraceEvent.SymbolicLinkCreated(12, 1, "link", "pool"));
    order.event(new TraceEvent.AttributesTold(13, 1, 2, "", new FileAttributes(0600, 1, 2)));
    order.event(new TraceEvent.AttributesTold(14, 1, 0, "link", new FileAttributes(0777, 3, 4)));

    assertThat(told.lines)
        .containsExactly(
            "define 1 EXISTING pool 4096",
            "define 2 CREATED new 0",
            "define 3 CREATED_UNNAMED #1 0",
            "define 4 LOST #2 7",
            "resize 1 8192",
            "zero 1 100 200",
            "rename 2 newer",
            "link 3 named",
            "delete 1 pool true",
            "createDirectory folder",
            "renameDirectory folder other",
            "deleteDirectory other",
            "createSymbolicLink link pool",
            "setAttributes 2  mode 0600, owner 1:2",
            "setAttributes 0 link mode 0777, owner 3:4");
  }

  @Test
  void shouldForgetFilesThatLeaveThePmDirectory() throws IOException {
    order.event(new TraceEvent.FileRenamed(1, 1, 2, "/tmp/elsewhere", true));
    order.event(new TraceEvent.FileLinked(2, 1, 3, "/tmp/elsewhere", true));

    assertThat(told.lines).containsExactly("moveOut 2");
  }
}
