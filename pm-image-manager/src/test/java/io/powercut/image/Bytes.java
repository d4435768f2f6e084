// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes into files by position. */
final class Bytes {
  private Bytes() {}

  static Path write(Path file, long offset, byte... bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer, offset + buffer.position());
      }
    }
    return file;
  }

  /** Makes the file longer, with a hole. */
  static Path grow(Path file, long size) throws IOException {
    try (SparseFile sparse = SparseFile.openForWriting(write(file, 0))) {
      sparse.resize(size);
    }
    return file;
  }
}
