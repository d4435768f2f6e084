// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import io.powercut.trace.DirectoryEvent;
import io.powercut.trace.EventGroups;
import io.powercut.trace.FileEvent;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.UndefinedNumberException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies a trace to a copy of the PM directory as it was before the run, so that it becomes what
 * the real one was at some point of the run: the program-order image there.
 *
 * <p>Contents and names only, not modes, owners and the like. Simple rather than fast. It never
 * touches anything outside its directory.
 */
public final class TraceReplay
    implements TraceConsumer,
        EventGroups<IOException>,
        FileEvent.Visitor<IOException>,
        DirectoryEvent.Visitor<IOException>,
        Closeable {
  private final Path directory;
  private final ReplayedNames names;
  private final long end;
  private final Map<Integer, ReplayedFile> files = new HashMap<>();

  /**
   * A replay of the records before an ordinal.
   *
   * @param directory a copy of the PM directory before the run, which is changed
   * @param end the first ordinal that is not applied
   */
  public TraceReplay(Path directory, long end) {
    this.directory = directory;
    this.names = new ReplayedNames(directory);
    this.end = end;
  }

  /** A replay of the whole trace. */
  public TraceReplay(Path directory) {
    this(directory, Long.MAX_VALUE);
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    if (store.ordinal() >= end) {
      return;
    }
    ReplayedFile file = file(Location.file(store.location()));
    long position = Location.offset(store.location());
    // A store through a mapping can reach beyond the file's end, into the rest of its last page,
    // where no file ever shows it.
    long kept =
        (store.flags() & StoreFlags.FILE_WRITE) != 0
            ? store.size()
            : Math.min(store.size(), file.size() - position);
    if (kept > 0) {
      file.write(
          store.bytes().duplicate().limit(store.offset() + (int) kept).position(store.offset()),
          position);
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    if (event.ordinal() < end) {
      event.dispatch(this);
    }
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
    ReplayedFile previous = files.put(defined.file(), open(defined));
    if (previous != null) {
      previous.close();
    }
  }

  private ReplayedFile open(TraceEvent.FileDefined defined) throws IOException {
    if (!defined.state().hasName()) {
      Path temporary = Files.createTempFile(directory, ".unnamed", "");
      ReplayedFile file = ReplayedFile.open(temporary);
      Files.delete(temporary);
      file.resize(defined.size());
      return file;
    }
    Path path = names.resolve(defined.path());
    names.define(defined.file(), path);
    if (defined.state().isNew()) {
      return ReplayedFile.open(path, StandardOpenOption.CREATE);
    }
    if (!Files.exists(path)) {
      throw new IOException(
          path
              + ": this file of the trace is missing. The directory is not a copy of the one before the"
              + " run, or the trace is damaged.");
    }
    ReplayedFile file = ReplayedFile.open(path);
    file.resize(defined.size());
    return file;
  }

  @Override
  public void visit(TraceEvent.FileResized resized) throws IOException {
    file(resized.file()).resize(resized.size());
  }

  @Override
  public void visit(TraceEvent.FileZeroed zeroed) throws IOException {
    file(zeroed.file()).zero(zeroed.offset(), zeroed.length());
  }

  @Override
  public void visit(TraceEvent.FileRenamed renamed) throws IOException {
    names.rename(renamed);
  }

  @Override
  public void visit(TraceEvent.FileLinked linked) throws IOException {
    names.link(linked);
  }

  @Override
  public void visit(TraceEvent.FileDeleted deleted) throws IOException {
    names.delete(deleted);
  }

  @Override
  public void visit(TraceEvent.DirectoryCreated created) throws IOException {
    Files.createDirectory(names.resolve(created.path()));
  }

  @Override
  public void visit(TraceEvent.DirectoryDeleted deleted) throws IOException {
    Files.delete(names.resolve(deleted.path()));
  }

  @Override
  public void visit(TraceEvent.DirectoryRenamed renamed) throws IOException {
    names.renameDirectory(renamed);
  }

  @Override
  public void visit(TraceEvent.SymbolicLinkCreated link) throws IOException {
    Files.createSymbolicLink(names.resolve(link.path()), Path.of(link.target()));
  }

  /** Attributes are not replayed. */
  @Override
  public void visit(TraceEvent.AttributesTold told) {}

  private ReplayedFile file(int number) {
    @Nullable ReplayedFile file = files.get(number);
    if (file == null) {
      throw new UndefinedNumberException("file", number);
    }
    return file;
  }

  /** Closes the files. */
  @Override
  public void close() throws IOException {
    for (ReplayedFile file : files.values()) {
      file.close();
    }
    files.clear();
  }
}
