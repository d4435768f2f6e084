// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.util.Arrays;

/** The {@link PageBlock}s of a file; pages beyond the last block are zeros. */
public final class PageTable {
  private PageBlock[] blocks;
  private int count;

  public PageTable() {
    this(new PageBlock[0], 0);
  }

  private PageTable(PageBlock[] blocks, int count) {
    this.blocks = blocks;
    this.count = count;
  }

  /** A table of the same blocks that does not change with this one. */
  PageTable copy() {
    return new PageTable(Arrays.copyOf(blocks, count), count);
  }

  int blockCount() {
    return count;
  }

  PageBlock block(int index) {
    return index < count ? blocks[index] : PageBlock.ZEROS;
  }

  public PageBlock blockOf(long page) {
    return block((int) (page >>> PageBlock.BITS));
  }

  /** The block of a page for changing it. */
  PageBlock ownedBlockOf(long page, int epoch) {
    int index = (int) (page >>> PageBlock.BITS);
    PageBlock block = block(index).ownedBy(epoch);
    setBlock(index, block);
    return block;
  }

  void setBlock(int index, PageBlock block) {
    if (index >= count) {
      if (block == PageBlock.ZEROS) {
        return;
      }
      extend(index + 1);
    }
    blocks[index] = block;
  }

  private void extend(int newCount) {
    if (newCount > blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(newCount, blocks.length + blocks.length / 2));
    }
    Arrays.fill(blocks, count, newCount, PageBlock.ZEROS);
    count = newCount;
  }

  public static int indexInBlock(long page) {
    return (int) page & (PageBlock.PAGES - 1);
  }
}
