// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Reads the pages of an image's files, from wherever they are. */
final class PageReader implements AutoCloseable {
  private final PageStore store;
  private final BaseFiles baseFiles = new BaseFiles();

  PageReader(PageStore store) {
    this.store = store;
  }

  /**
   * Reads consecutive pages that are not zero.
   *
   * @param slot of the first one; those of the others follow it, or are the same if it is not a
   *     slot of the store
   * @param direct gets them from its beginning
   */
  void read(ImageEntry.File file, long page, int count, int slot, ByteBuffer direct)
      throws IOException {
    if (slot > 0) {
      store.read(slot, count, direct, 0);
    } else if (slot == PageBlock.ZEROS_BELOW) {
      zero(direct, 0, count << PageHashing.PAGE_BITS);
    } else {
      baseFiles.read(base(file), page, count, direct, 0);
    }
    long start = page << PageHashing.PAGE_BITS;
    long end = (page + count) << PageHashing.PAGE_BITS;
    file.lines().put(start, end, direct);
  }

  private static Path base(ImageEntry.File file) {
    return file.base()
        .orElseThrow(() -> new IllegalStateException("a page that is not zero is missing"));
  }

  /** Sets bytes to zero; as many as make whole words. */
  static void zero(ByteBuffer buffer, int from, int to) {
    for (int position = from; position < to; position += Long.BYTES) {
      buffer.putLong(position, 0);
    }
  }

  @Override
  public void close() {
    baseFiles.close();
  }
}
