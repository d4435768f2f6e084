// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.powercut.trace.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link TraceStore} wrote. */
final class StoredSource implements BlockSource {
  /** What zstd-jni says of a file that ends too early. */
  private static final String TRUNCATED = "Truncated source";

  private static final int LARGEST_BLOCK = 1 << 30;

  private final Path file;
  private final InputStream input;
  private ByteBuffer block = ByteBuffer.allocate(0);
  private long base;
  private long position;
  private boolean ended;

  private StoredSource(Path file, InputStream input) {
    this.file = file;
    this.input = input;
  }

  static StoredSource open(Path file) throws IOException {
    ZstdLibrary.provide();
    InputStream compressed = Files.newInputStream(file);
    try {
      StoredSource source =
          new StoredSource(
              file, new ZstdInputStreamNoFinalizer(compressed, RecyclingBufferPool.INSTANCE));
      source.readHeader();
      return source;
    } catch (IOException | RuntimeException e) {
      compressed.close();
      throw e;
    }
  }

  private void readHeader() throws IOException {
    ByteBuffer header;
    try {
      header = read(TraceStore.HEADER_BYTES);
    } catch (TraceException e) {
      throw foreign(e);
    }
    if (!FileBytes.hasText(header, 0, TraceStore.MAGIC)) {
      throw foreign(null);
    }
    int version = header.getInt(TraceStore.MAGIC.length());
    if (version != TraceFormat.VERSION) {
      throw TraceVersions.other(file, TraceStore.MAGIC.length(), version);
    }
  }

  private TraceException foreign(@Nullable Exception cause) {
    TraceException result =
        new TraceException(
            file,
            0,
            "this is not a stored trace: it does not begin with \""
                + TraceStore.MAGIC
                + "\" in zstd",
            "Name the trace of a run directory");
    if (cause != null) {
      result.initCause(cause);
    }
    return result;
  }

  @Override
  public boolean next(boolean over) throws IOException {
    if (ended) {
      return false;
    }
    ByteBuffer head = read(TraceStore.BLOCK_HEAD_BYTES);
    long size = head.getLong(0);
    if (size < 0 || size > LARGEST_BLOCK) {
      throw damaged("a block of " + size + " bytes");
    }
    base = position;
    block = size == 0 ? FileBytes.allocate(0) : read((int) size);
    ended = size == 0;
    if (ended && readAtMost(1).length > 0) {
      throw damaged("something follows the last block");
    }
    return !ended;
  }

  private ByteBuffer read(int size) throws IOException {
    byte[] bytes = readAtMost(size);
    position += bytes.length;
    if (bytes.length < size) {
      throw truncated();
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte[] readAtMost(int size) throws IOException {
    try {
      return input.readNBytes(size);
    } catch (ZstdIOException e) {
      TraceException problem =
          TRUNCATED.equals(e.getMessage())
              ? truncated()
              : damaged("it does not decompress: " + e.getMessage());
      problem.initCause(e);
      throw problem;
    }
  }

  private TraceException truncated() {
    return new TraceException(
        file, position, "the stored trace is truncated", TraceException.RECORD_AGAIN);
  }

  private TraceException damaged(String problem) {
    return new TraceException(
        file, position, "the stored trace is damaged: " + problem, TraceException.RECORD_AGAIN);
  }

  @Override
  public ByteBuffer block() {
    return block;
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public long base() {
    return base;
  }

  @Override
  public boolean saysEnded() {
    return true;
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
