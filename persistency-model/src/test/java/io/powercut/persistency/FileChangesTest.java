// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FileChangesTest {
  private final FileChanges changes = new FileChanges();
  private long ordinal;

  @BeforeEach
  void defineFile() {
    assertChange(
        new TraceEvent.FileDefined(
            ordinal++, 1, 1, TraceEvent.FileState.CREATED, 100, "folder/file"),
        0,
        "folder/file is made");
  }

  private void assertChange(TraceEvent event, int file, String text) {
    assertThat(changes.of(event)).contains(new FileChanges.Change(file, text));
  }

  private void store(int flags) {
    changes.store(
        new StoreRecord(
            ordinal++, 1, flags, 1, 1, Location.of(1, 0), 1, ByteBuffer.allocate(8), 0));
  }

  @Test
  void newNamesShouldBeOfTheirFile() {
    assertChange(
        new TraceEvent.FileRenamed(ordinal++, 1, 1, "conf", false), 1, "the rename to conf");
    assertChange(
        new TraceEvent.FileLinked(ordinal++, 1, 1, "other", false), 1, "the link other is made");
    assertChange(
        new TraceEvent.FileRenamed(ordinal++, 1, 1, "", true), 0, "a file leaves the directory");
  }

  @Test
  void filesThatGoOrChangeTheirSizeShouldBeNamed() {
    assertChange(new TraceEvent.FileResized(ordinal++, 1, 1, 50), 0, "folder/file is truncated");
    assertThat(changes.of(new TraceEvent.FileResized(ordinal++, 1, 1, 60)))
        .contains(new FileChanges.Change(0, "folder/file is extended", true));
    assertChange(
        new TraceEvent.FileZeroed(ordinal++, 1, 1, 0, 8), 0, "a range of folder/file is zeroed");
    assertChange(
        new TraceEvent.FileDeleted(ordinal++, 1, 1, "folder/file", false),
        0,
        "folder/file is removed");
  }

  @Test
  void directoriesShouldBeNamed() {
    assertChange(
        new TraceEvent.DirectoryRenamed(ordinal++, 1, "folder", "old"),
        0,
        "the rename of the directory to old");
    assertChange(new TraceEvent.FileResized(ordinal++, 1, 1, 1), 0, "old/file is truncated");
    assertChange(
        new TraceEvent.DirectoryCreated(ordinal++, 1, "new"), 0, "the directory new is made");
    assertChange(
        new TraceEvent.DirectoryDeleted(ordinal++, 1, "new"), 0, "the directory new is removed");
    assertChange(
        new TraceEvent.SymbolicLinkCreated(ordinal++, 1, "link", "old"),
        0,
        "the link link is made");
  }

  @Test
  void writeThatExtendsItsFileShouldBeNoChange() {
    store(StoreFlags.MORE);
    TraceEvent grows = new TraceEvent.FileResized(ordinal++, 1, 1, 200);
    assertThat(changes.of(grows)).isEmpty();
    store(0);
    assertThat(changes.of(new TraceEvent.FileResized(ordinal++, 1, 1, 300))).isPresent();
  }

  @Test
  void otherEventsShouldBeNoChange() {
    TraceEvent known =
        new TraceEvent.FileDefined(ordinal++, 1, 2, TraceEvent.FileState.EXISTING, 1, "known");
    assertThat(changes.of(known)).isEmpty();
    assertThat(changes.of(new TraceEvent.FileZeroed(ordinal++, 1, 1, 0, 8, true))).isEmpty();
    assertThat(changes.of(new TraceEvent.FileLinked(ordinal++, 1, 1, "away", true))).isEmpty();
  }
}
