// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Puts other contents of some lines over files of an image, and hashes the pages they are in. */
public final class ChangedLines implements AutoCloseable {
  /** No image and no state has blocks of this epoch. */
  private static final int EPOCH = -2;

  private final PageReader reader;
  private final ByteBuffer page = ByteBuffer.allocateDirect(PageHashing.PAGE);
  private final long[] hash = new long[2];

  public ChangedLines(PageStore store) {
    this.reader = new PageReader(store);
  }

  /**
   * A file with other lines.
   *
   * @param file has none yet
   * @param offsets of the pages in which the lines are
   */
  public ImageEntry.File over(ImageEntry.File file, long[] offsets, LinesOver lines)
      throws IOException {
    PageTable pages = file.pages().copy();
    PageSum sum = file.sum().copy();
    ImageEntry.File changed =
        new ImageEntry.File(
            file.size(), file.attributes(), pages, sum, file.base(), lines, file.names());
    for (long offset : offsets) {
      change(changed, offset >>> PageHashing.PAGE_BITS);
    }
    return changed;
  }

  private void change(ImageEntry.File file, long number) throws IOException {
    int index = PageTable.indexInBlock(number);
    PageBlock before = file.pages().blockOf(number);
    int slot = before.isZero(index) ? PageBlock.ZEROS_BELOW : before.slot(index);
    reader.read(file, number, 1, slot, page);
    PageHashing.hash(page, 0, hash);
    file.sum().remove(number, before.low(index), before.high(index));
    file.sum().add(number, hash[0], hash[1]);
    PageBlock after = file.pages().ownedBlockOf(number, EPOCH);
    after.setHash(index, hash[0], hash[1]);
    after.setSlot(index, slot);
  }

  @Override
  public void close() {
    reader.close();
  }
}
