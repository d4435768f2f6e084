// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.persistency.PersistentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Stores words of 8 bytes to one file. */
final class Stores {
  private final PersistentFiles files;
  private final int file;
  private final ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);

  Stores(PersistentFiles files, int file, String name, long size) throws IOException {
    this.files = files;
    this.file = file;
    files.define(file, PersistentFiles.Origin.EXISTING, name, size);
  }

  void store(long offset, long value) throws IOException {
    word.putLong(0, value);
    files.store(file, offset, Long.BYTES, word, 0);
  }
}
