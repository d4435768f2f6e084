// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a trace in one zstd-compressed file while it is read; {@link TraceReader} reads it back.
 *
 * <p>Uncompressed, the file is a header (magic {@code PWCSTORE}, version and header size of 32 bits
 * each), then blocks of a 64-bit number of bytes and as many bytes of whole records as in a chunk.
 * A block of no bytes is the last; without it the file is truncated.
 */
public final class TraceStore implements Closeable {
  static final String MAGIC = "PWCSTORE";
  static final int HEADER_BYTES = 16;
  static final int BLOCK_HEAD_BYTES = 8;
  private static final int LEVEL = 1;

  private final OutputStream output;
  private byte[] copy = new byte[0];

  private TraceStore(OutputStream output) {
    this.output = output;
  }

  /**
   * Begins a stored trace, replacing what the file held.
   *
   * @throws IOException when the file cannot be written
   */
  public static TraceStore create(Path file) throws IOException {
    ZstdLibrary.provide();
    OutputStream target = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    ZstdOutputStreamNoFinalizer compressor =
        new ZstdOutputStreamNoFinalizer(target, RecyclingBufferPool.INSTANCE, LEVEL);
    compressor.setChecksum(true);
    TraceStore store = new TraceStore(compressor);
    byte[] header = new byte[HEADER_BYTES];
    ByteBuffer.wrap(header)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC.getBytes(StandardCharsets.US_ASCII))
        .putInt(TraceFormat.VERSION)
        .putInt(HEADER_BYTES);
    compressor.write(header);
    return store;
  }

  /** Appends the records between position and limit, which stay as they are. */
  void append(ByteBuffer block) throws IOException {
    int size = block.remaining();
    if (size == 0) {
      return;
    }
    writeHead(size);
    if (copy.length < size) {
      copy = new byte[size];
    }
    block.get(block.position(), copy, 0, size);
    output.write(copy, 0, size);
  }

  /** Writes the end mark: the trace is complete. */
  void finish() throws IOException {
    writeHead(0);
  }

  private void writeHead(int size) throws IOException {
    byte[] head = new byte[BLOCK_HEAD_BYTES];
    ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).putLong(size);
    output.write(head);
  }

  /**
   * Closes the file. It is complete only if a reader came to the end of the trace.
   *
   * @throws IOException when the rest cannot be written
   */
  @Override
  public void close() throws IOException {
    output.close();
  }
}
