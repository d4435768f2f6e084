// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency;

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
public final class ProgramOrder implements TraceConsumer {
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
    if (event instanceof TraceEvent.FileDefined defined) {
      files.define(defined.file(), origin(defined.state()), defined.path(), defined.size());
    } else if (event instanceof TraceEvent.FileResized resized) {
      files.resize(resized.file(), resized.size());
    } else if (event instanceof TraceEvent.FileZeroed zeroed) {
      files.zero(zeroed.file(), zeroed.offset(), zeroed.length());
    } else {
      name(event);
    }
  }

  private void name(TraceEvent event) throws IOException {
    if (event instanceof TraceEvent.FileRenamed renamed) {
      rename(renamed);
    } else if (event instanceof TraceEvent.FileLinked linked) {
      link(linked);
    } else if (event instanceof TraceEvent.FileDeleted deleted) {
      files.delete(deleted.file(), deleted.path(), deleted.hasOtherNames());
    } else if (event instanceof TraceEvent.DirectoryCreated created) {
      files.createDirectory(created.path());
    } else if (event instanceof TraceEvent.DirectoryDeleted deleted) {
      files.deleteDirectory(deleted.path());
    } else if (event instanceof TraceEvent.DirectoryRenamed renamed) {
      files.renameDirectory(renamed.from(), renamed.to());
    } else if (event instanceof TraceEvent.SymbolicLinkCreated created) {
      files.createSymbolicLink(created.path(), created.target());
    } else if (event instanceof TraceEvent.AttributesTold told) {
      files.setAttributes(told.file(), told.path(), told.attributes());
    }
  }

  private void rename(TraceEvent.FileRenamed renamed) throws IOException {
    if (renamed.outside()) {
      files.moveOut(renamed.file());
    } else {
      files.rename(renamed.file(), renamed.path());
    }
  }

  private void link(TraceEvent.FileLinked linked) throws IOException {
    if (!linked.outside()) {
      files.link(linked.file(), linked.path());
    }
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
