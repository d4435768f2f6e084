// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.TraceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a directory of chunks, also while it grows. Chunks are copied into one buffer rather than
 * mapped: a deleted chunk then gives its memory back at once.
 */
final class ChunkSource implements BlockSource {
  private final Path directory;
  private final boolean deleteConsumed;
  private final ByteBuffer header = FileBytes.allocate(TraceFormat.CHUNK_HEADER_BYTES);

  /** Of a chunk's size; an index in it is an offset in the chunk's file. */
  private @Nullable ByteBuffer buffer;

  private @Nullable FileChannel channel;
  private Path file;
  private long number;
  private int consumed;

  ChunkSource(Path directory, boolean deleteConsumed) {
    this.directory = directory;
    this.deleteConsumed = deleteConsumed;
    this.file = directory.resolve(TraceFormat.chunkName(0));
  }

  @Override
  public boolean next(boolean over) throws IOException {
    while (true) {
      FileChannel open = openChunk(over);
      if (open == null) {
        return false;
      }
      boolean closed = readHeader(open);
      int used = used(open);
      if (used > consumed) {
        readRecords(open, used);
        return true;
      }
      if (!closed && !(over && nextExists())) {
        return false;
      }
      leaveChunk();
    }
  }

  private @Nullable FileChannel openChunk(boolean over) throws IOException {
    if (channel != null) {
      return channel;
    }
    Optional<ControlFile> control = ControlFile.read(directory);
    if (control.isEmpty()) {
      requireNotOver(over);
      return null;
    }
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(control.get().chunkSize()).order(ByteOrder.LITTLE_ENDIAN);
    }
    if (number >= control.get().chunkCount()) {
      return null;
    }
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      throw new TraceException(
          file, "this part of the trace is missing", TraceException.RECORD_AGAIN);
    }
    consumed = TraceFormat.CHUNK_HEADER_BYTES;
    return channel;
  }

  private void requireNotOver(boolean over) throws TraceException {
    if (over) {
      throw new TraceException(
          directory,
          ControlFile.exists(directory)
              ? "the trace was never started: its control file is empty"
              : "there is no trace here: no control file",
          "Name the trace of a run directory, or check the target's output for the reason why the"
              + " recorder did not start");
    }
  }

  /** Reads and checks the chunk's header; whether the chunk is closed. */
  private boolean readHeader(FileChannel open) throws IOException {
    header.clear();
    if (!FileBytes.readFully(open, header, 0)) {
      throw truncated(open);
    }
    if (!FileBytes.hasText(header, 0, TraceFormat.CHUNK_MAGIC)) {
      throw damaged(0, "it does not begin with \"" + TraceFormat.CHUNK_MAGIC + "\"");
    }
    int version = header.getInt(TraceFormat.CHUNK_VERSION);
    if (version != TraceFormat.VERSION) {
      throw TraceVersions.other(file, TraceFormat.CHUNK_VERSION, version);
    }
    if (header.getLong(TraceFormat.CHUNK_NUMBER) != number) {
      throw damaged(
          TraceFormat.CHUNK_NUMBER,
          "it claims to be chunk " + header.getLong(TraceFormat.CHUNK_NUMBER));
    }
    if (header.getInt(TraceFormat.CHUNK_HEADER_SIZE) != TraceFormat.CHUNK_HEADER_BYTES) {
      throw damaged(
          TraceFormat.CHUNK_HEADER_SIZE,
          "a header of " + header.getInt(TraceFormat.CHUNK_HEADER_SIZE) + " bytes");
    }
    return header.getInt(TraceFormat.CHUNK_CLOSED) != 0;
  }

  /**
   * How much of the chunk is used. Read after the closed mark was, so that what a closed chunk
   * holds is never missed.
   */
  private int used(FileChannel open) throws IOException {
    header.position(TraceFormat.CHUNK_USED).limit(TraceFormat.CHUNK_USED + Long.BYTES);
    boolean complete = FileBytes.readFully(open, header, TraceFormat.CHUNK_USED);
    header.clear();
    if (!complete) {
      throw truncated(open);
    }
    long used = header.getLong(TraceFormat.CHUNK_USED);
    if (used < consumed || used > bufferOf().capacity() || (used & 7) != 0) {
      throw damaged(
          TraceFormat.CHUNK_USED,
          used + " bytes used, want " + consumed + " to " + bufferOf().capacity());
    }
    return (int) used;
  }

  private void readRecords(FileChannel open, int used) throws IOException {
    ByteBuffer target = bufferOf();
    target.limit(used).position(consumed);
    if (!FileBytes.readFully(open, target, consumed)) {
      throw truncated(open);
    }
    target.position(consumed);
    consumed = used;
  }

  private ByteBuffer bufferOf() {
    if (buffer == null) {
      throw new IllegalStateException("no block has been read yet");
    }
    return buffer;
  }

  private boolean nextExists() {
    return Files.exists(directory.resolve(TraceFormat.chunkName(number + 1)));
  }

  private void leaveChunk() throws IOException {
    close();
    if (deleteConsumed) {
      Files.deleteIfExists(file);
    }
    number++;
    file = directory.resolve(TraceFormat.chunkName(number));
  }

  private TraceException truncated(FileChannel open) throws IOException {
    return new TraceException(
        file, open.size(), "the file is truncated", TraceException.RECORD_AGAIN);
  }

  private TraceException damaged(long offset, String problem) {
    return new TraceException(
        file, offset, "this is not a part of a trace: " + problem, TraceException.RECORD_AGAIN);
  }

  @Override
  public ByteBuffer block() {
    return bufferOf();
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public long base() {
    return 0;
  }

  @Override
  public boolean saysEnded() throws IOException {
    return ControlFile.read(directory).map(ControlFile::ended).orElse(false);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
