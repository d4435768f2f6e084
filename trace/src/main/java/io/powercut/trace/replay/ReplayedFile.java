// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A PM file while its trace is replayed; lives on when its name is gone, as the real one does. */
final class ReplayedFile implements Closeable {
  private static final int ZEROES = 1 << 16;

  private final FileChannel channel;

  /** Nobody else changes the file. */
  private long size;

  private ReplayedFile(FileChannel channel) throws IOException {
    this.channel = channel;
    this.size = channel.size();
  }

  static ReplayedFile open(Path path, StandardOpenOption... further) throws IOException {
    StandardOpenOption[] options = new StandardOpenOption[further.length + 2];
    System.arraycopy(further, 0, options, 0, further.length);
    options[further.length] = StandardOpenOption.READ;
    options[further.length + 1] = StandardOpenOption.WRITE;
    return new ReplayedFile(FileChannel.open(path, options));
  }

  long size() {
    return size;
  }

  /** Writes the bytes between position and limit. */
  void write(ByteBuffer bytes, long offset) throws IOException {
    long position = offset;
    while (bytes.hasRemaining()) {
      position += channel.write(bytes, position);
    }
    size = Math.max(size, position);
  }

  void resize(long newSize) throws IOException {
    if (newSize < size) {
      channel.truncate(newSize);
      size = newSize;
    } else if (newSize > size) {
      write(ByteBuffer.allocate(1), newSize - 1);
    }
  }

  void zero(long offset, long length) throws IOException {
    long end = Math.min(offset + length, size);
    for (long position = offset; position < end; position += ZEROES) {
      write(ByteBuffer.allocate((int) Math.min(ZEROES, end - position)), position);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
