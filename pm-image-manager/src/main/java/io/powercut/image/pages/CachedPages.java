// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.util.Arrays;

/** Which pages of a file are in the {@link PageCache}, and where. */
final class CachedPages {
  private static final int NONE = -1;

  private int[][] blocks = new int[0][];

  /** The page's place in the cache; -1 if it is not there. */
  int get(long page) {
    int index = (int) (page >>> PageBlock.BITS);
    if (index >= blocks.length) {
      return NONE;
    }
    int[] block = blocks[index];
    return block == null ? NONE : block[PageTable.indexInBlock(page)];
  }

  void put(long page, int place) {
    int index = (int) (page >>> PageBlock.BITS);
    if (index >= blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(index + 1, blocks.length + blocks.length / 2));
    }
    int[] block = blocks[index];
    if (block == null) {
      block = new int[PageBlock.PAGES];
      Arrays.fill(block, NONE);
      blocks[index] = block;
    }
    block[PageTable.indexInBlock(page)] = place;
  }

  void remove(long page) {
    if (get(page) != NONE) {
      put(page, NONE);
    }
  }

  boolean hasBlock(int index) {
    return index < blocks.length && blocks[index] != null;
  }
}
