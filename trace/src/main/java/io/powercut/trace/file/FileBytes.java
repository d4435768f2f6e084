// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/** Reading of files at fixed places. */
final class FileBytes {
  private FileBytes() {}

  static ByteBuffer allocate(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Fills the buffer from its position to its limit from that place of the file on.
   *
   * @return false when the file is too short
   */
  static boolean readFully(FileChannel channel, ByteBuffer buffer, long position)
      throws IOException {
    long next = position;
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, next);
      if (count < 0) {
        return false;
      }
      next += count;
    }
    return true;
  }

  /** Whether the ASCII text stands there. */
  static boolean hasText(ByteBuffer buffer, int offset, String text) {
    byte[] bytes = new byte[text.length()];
    buffer.get(offset, bytes);
    return text.equals(new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
