// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

import io.powercut.trace.DirectoryEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.util.Objects;

/**
 * The simplest persistency model: every store reaches persistent memory at once, so the state at a
 * failure point holds all stores before it and no other. It is what killing the program there
 * leaves behind, and what Mumak tests (Gonçalves et al., EuroSys 2023, section 4.1).
 */
public final class ProgramOrder
    implements TraceConsumer,
        EventGroups<IOException>,
        FileEvent.Visitor<IOException>,
        DirectoryEvent.Visitor<IOException> {
  private final PersistentFiles files;

  /** Tells {@code files} what a trace does. */
  public ProgramOrder(PersistentFiles files) {
    this.files = Objects.requireNonNull(files, "files is null");
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    files.store(
        Location.file(store.location()),
        Location.offset(store.location()),
        store.size(),
        store.bytes(),
        store.offset());
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    event.dispatch(this);
  }

  @Override
  public void file(FileEvent event) throws IOException {
    event.accept(this);
  }

  @Override
  public void directory(DirectoryEvent event) throws IOException {
    event.accept(this);
  }

  @Override
  public void visit(TraceEvent.FileDefined defined) throws IOException {
    files.define(defined.file(), origin(defined.state()), defined.path(), defined.size());
  }

  @Override
  public void visit(TraceEvent.FileResized resized) throws IOException {
    files.resize(resized.file(), resized.size());
  }

  @Override
  public void visit(TraceEvent.FileZeroed zeroed) throws IOException {
    files.zero(zeroed.file(), zeroed.offset(), zeroed.length());
  }

  @Override
  public void visit(TraceEvent.FileRenamed renamed) throws IOException {
    if (renamed.outside()) {
      files.moveOut(renamed.file());
    } else {
      files.rename(renamed.file(), renamed.path());
    }
  }

  @Override
  public void visit(TraceEvent.FileLinked linked) throws IOException {
    if (!linked.outside()) {
      files.link(linked.file(), linked.path());
    }
  }

  @Override
  public void visit(TraceEvent.FileDeleted deleted) throws IOException {
    files.delete(deleted.file(), deleted.path(), deleted.hasOtherNames());
  }

  @Override
  public void visit(TraceEvent.DirectoryCreated created) throws IOException {
    files.createDirectory(created.path());
  }

  @Override
  public void visit(TraceEvent.DirectoryDeleted deleted) throws IOException {
    files.deleteDirectory(deleted.path());
  }

  @Override
  public void visit(TraceEvent.DirectoryRenamed renamed) throws IOException {
    files.renameDirectory(renamed.from(), renamed.to());
  }

  @Override
  public void visit(TraceEvent.SymbolicLinkCreated created) throws IOException {
    files.createSymbolicLink(created.path(), created.target());
  }

  @Override
  public void visit(TraceEvent.AttributesTold told) throws IOException {
    files.setAttributes(told.file(), told.path(), told.attributes());
  }

  private static PersistentFiles.Origin origin(TraceEvent.FileState state) {
    return switch (state) {
      case EXISTING -> PersistentFiles.Origin.EXISTING;
      case CREATED -> PersistentFiles.Origin.CREATED;
      case CREATED_UNNAMED -> PersistentFiles.Origin.CREATED_UNNAMED;
      case UNNAMED -> PersistentFiles.Origin.LOST;
    };
  }
}
