// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads pages of files that do not change, and keeps some of these files open. */
final class BaseFiles implements AutoCloseable {
  private static final int KEPT_OPEN = 64;

  private final Map<Path, SparseFile> open = new LinkedHashMap<>();

  /** Reads consecutive pages; what lies beyond the end of the file is zeros. */
  void read(Path path, long page, int count, ByteBuffer direct, int offset) throws IOException {
    int length = count << PageHashing.PAGE_BITS;
    int read = file(path).read(direct, offset, length, page << PageHashing.PAGE_BITS);
    for (int position = read; position < length; position++) {
      direct.put(offset + position, (byte) 0);
    }
  }

  private SparseFile file(Path path) throws IOException {
    SparseFile known = open.get(path);
    if (known != null) {
      return known;
    }
    if (open.size() >= KEPT_OPEN) {
      close();
    }
    SparseFile file = SparseFile.openForReading(path);
    open.put(path, file);
    return file;
  }

  @Override
  public void close() {
    open.values().forEach(SparseFile::close);
    open.clear();
  }
}
