// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent.MetadataKind;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Writes traces as the recorder does, for tests of the reader alone. */
public final class TraceWriter {
  public static final int CHUNK_SIZE = 4096;

  private final Path directory;
  private final ByteBuffer control =
      buffer(TraceFormat.CONTROL_ERROR + TraceFormat.CONTROL_ERROR_SIZE);
  private final ByteBuffer chunk;
  private final boolean atOnce;
  private int number = -1;

  /** A trace of small chunks to which each record is written at once. */
  public TraceWriter(Path directory) {
    this(directory, CHUNK_SIZE, true);
  }

  public TraceWriter(Path directory, int chunkSize, boolean atOnce) {
    this.directory = directory;
    this.chunk = buffer(chunkSize);
    this.atOnce = atOnce;
    control.put(0, TraceFormat.CONTROL_MAGIC.getBytes(StandardCharsets.US_ASCII));
    control.putInt(TraceFormat.CONTROL_VERSION, TraceFormat.VERSION);
    control.putInt(TraceFormat.CONTROL_CHUNK_SIZE, chunkSize);
    writeControl();
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.wrap(new byte[size]).order(ByteOrder.LITTLE_ENDIAN);
  }

  public ByteBuffer control() {
    return control;
  }

  public void writeControl() {
    replace(directory.resolve(TraceFormat.CONTROL_NAME), control);
  }

  private static void replace(Path file, ByteBuffer content) {
    byte[] bytes = new byte[content.capacity()];
    content.get(0, bytes);
    try {
      Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appends a record of which the header's first four bytes and the body are given. */
  public void record(int kind, int flags, int thread, ByteBuffer body) {
    int length = TraceFormat.RECORD_HEADER_BYTES + (body.position() + 7) / 8 * 8;
    if (number < 0 || chunk.position() + length > chunk.capacity()) {
      beginChunk();
    }
    int start = chunk.position();
    chunk.put((byte) kind).put((byte) flags).putShort((short) thread).putInt(length);
    chunk.put(body.duplicate().flip());
    chunk.position(start + length);
    if (atOnce) {
      publish();
    }
  }

  private void beginChunk() {
    if (number >= 0) {
      chunk.putInt(TraceFormat.CHUNK_CLOSED, 1);
      publish();
    }
    number++;
    chunk.put(0, new byte[chunk.capacity()]);
    chunk.put(0, TraceFormat.CHUNK_MAGIC.getBytes(StandardCharsets.US_ASCII));
    chunk.putInt(TraceFormat.CHUNK_VERSION, TraceFormat.VERSION);
    chunk.putInt(TraceFormat.CHUNK_HEADER_SIZE, TraceFormat.CHUNK_HEADER_BYTES);
    chunk.putLong(TraceFormat.CHUNK_NUMBER, number);
    chunk.position(TraceFormat.CHUNK_HEADER_BYTES);
    publish();
    control.putInt(TraceFormat.CONTROL_CHUNK_COUNT, number + 1);
    writeControl();
  }

  private void publish() {
    chunk.putLong(TraceFormat.CHUNK_USED, chunk.position());
    replace(chunkFile(number), chunk);
  }

  public Path chunkFile(int chunkNumber) {
    return directory.resolve(TraceFormat.chunkName(chunkNumber));
  }

  public int chunks() {
    return number + 1;
  }

  public void store(int site, int stack, long location, byte... data) {
    storeWithFlags(0, site, stack, location, data);
  }

  public void storeWithFlags(int flags, int site, int stack, long location, byte... data) {
    store(1, flags, site, stack, location, data);
  }

  public void storeOfThread(int thread, int site, int stack, long location, byte... data) {
    store(thread, 0, site, stack, location, data);
  }

  private void store(int thread, int flags, int site, int stack, long location, byte[] data) {
    int padding = -data.length & 7;
    record(
        TraceFormat.STORE,
        flags | padding << TraceFormat.STORE_PADDING_SHIFT,
        thread,
        body().putInt(site).putInt(stack).putLong(location).put(data));
  }

  public void flush(FlushKind kind, int stack, long location) {
    record(TraceFormat.FLUSH, kind.code(), 1, body().putInt(1).putInt(stack).putLong(location));
  }

  public void fence(FenceKind kind, int stack) {
    record(TraceFormat.FENCE, kind.code(), 1, body().putInt(1).putInt(stack));
  }

  public void load(int flags, int stack, long location, long size) {
    record(
        TraceFormat.LOAD, flags, 1, body().putInt(1).putInt(stack).putLong(location).putLong(size));
  }

  /** Enters a function that allocates, or leaves it. */
  public void allocation(int record, int depth) {
    record(record, 0, 1, body().putInt(depth).putInt(0));
  }

  public void allocated(int stack, long location, long size, int depth) {
    record(
        TraceFormat.ALLOCATED,
        0,
        1,
        body().putInt(1).putInt(stack).putLong(location).putLong(size).putInt(depth).putInt(0));
  }

  /** An acquire or a release. */
  public void lock(int record, int flags, int stack, long object, int kind) {
    record(record, flags, 1, body().putInt(1).putInt(stack).putLong(object).putInt(kind).putInt(0));
  }

  /** A synchronisation that begins; the number is its own. */
  public void sync(SyncKind kind, int stack, long location, long length, long syncNumber) {
    record(
        TraceFormat.SYNC,
        kind.code(),
        1,
        body().putInt(1).putInt(stack).putLong(location).putLong(length).putLong(syncNumber));
  }

  /** Its end, of which another thread may learn. */
  public void syncEnd(int thread, SyncKind kind, int error, long syncNumber) {
    record(
        TraceFormat.SYNC_END,
        kind.code(),
        thread,
        body().putInt(error).putInt(0).putLong(syncNumber));
  }

  public void file(int file, int flags, long size, String path) {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    record(
        TraceFormat.FILE_DEF,
        flags,
        1,
        body().putInt(file).putInt(name.length).putLong(size).put(name));
  }

  public void path(int kind, int flags, int file, String path) {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    record(kind, flags, 1, body().putInt(file).putInt(name.length).put(name));
  }

  public void paths(int kind, String path, String other) {
    byte[] first = path.getBytes(StandardCharsets.UTF_8);
    byte[] second = other.getBytes(StandardCharsets.UTF_8);
    record(kind, 0, 1, body().putInt(first.length).putInt(second.length).put(first).put(second));
  }

  /** Attributes with one extended attribute. */
  /** A change of metadata, whose site is its stack's number. */
  public void metadata(MetadataKind kind, int stack, String path, String other) {
    byte[] from = path.getBytes(StandardCharsets.UTF_8);
    byte[] to = other.getBytes(StandardCharsets.UTF_8);
    record(
        TraceFormat.METADATA,
        (List.of(MetadataKind.values()).indexOf(kind) + 1) | TraceFormat.METADATA_COUNTS,
        1,
        body().putInt(stack).putInt(stack).putInt(from.length).putInt(to.length).put(from).put(to));
  }

  public void attributes(int file, String path, int mode, String name, String value) {
    byte[] first = path.getBytes(StandardCharsets.UTF_8);
    record(
        TraceFormat.ATTRIBUTES,
        0,
        1,
        body()
            .putInt(file)
            .putInt(first.length)
            .putInt(mode)
            .putInt(1000)
            .putInt(-2)
            .putInt(8 + name.length() + value.length())
            .put(first)
            .putInt(name.length())
            .putInt(value.length())
            .put(name.getBytes(StandardCharsets.US_ASCII))
            .put(value.getBytes(StandardCharsets.US_ASCII)));
  }

  public void module(int module, String path) {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    record(
        TraceFormat.MODULE_DEF,
        0,
        1,
        body()
            .putInt(module)
            .putInt(name.length)
            .putInt(2)
            .putInt(name.length - path.lastIndexOf('/') - 1)
            .putLong(0x400000)
            .put(name)
            .put((byte) 0xab)
            .put((byte) 0x01)
            .put(path.substring(path.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8)));
  }

  /** A site in a function that was inlined into main. */
  public void site(int site, int module, long offset, String function, String file, int line) {
    String texts = function + file + "main" + "main.c";
    record(
        TraceFormat.SITE_DEF,
        0,
        1,
        body()
            .putInt(site)
            .putInt(module)
            .putLong(offset)
            .putInt(2)
            .putInt(texts.length())
            .putInt(function.length())
            .putInt(file.length())
            .putInt(line)
            .putInt(0)
            .putInt(4)
            .putInt(6)
            .putInt(99)
            .putInt(0)
            .put(texts.getBytes(StandardCharsets.US_ASCII)));
  }

  public void stack(int stack, FailurePointId id, boolean excluded, int... sites) {
    ByteBuffer body = body().putInt(stack).putInt(sites.length).putLong(id.value());
    for (int site : sites) {
      body.putInt(site);
    }
    record(TraceFormat.STACK_DEF, excluded ? TraceFormat.STACK_EXCLUDED : 0, 1, body);
  }

  /** Something is written to standard output. */
  public void output(int flags, String text) {
    byte[] data = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = body().putInt(1).putInt(1).putLong(data.length).putLong(0).put(data);
    record(TraceFormat.OUTPUT, flags | 1, 1, body);
  }

  public void mark(boolean begin) {
    record(TraceFormat.MARK, begin ? 1 : 2, 1, body().putInt(1).putInt(0));
  }

  public void end() {
    record(TraceFormat.END, 0, 0, body());
    publish();
    control.putInt(TraceFormat.CONTROL_ENDED, 1);
    writeControl();
  }

  public static ByteBuffer body() {
    return buffer(512);
  }
}
