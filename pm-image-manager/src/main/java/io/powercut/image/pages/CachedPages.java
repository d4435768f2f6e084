// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Which pages of a file are in the {@link PageCache}, and where. */
final class CachedPages {
  private static final int NONE = -1;

  /** Pages that any block has room for. */
  private static final int LEAST = 2;

  private int[][] blocks = new int[0][];

  /** The page's place in the cache; -1 if it is not there. */
  int get(long page) {
    int index = (int) (page >>> PageBlock.BITS);
    if (index >= blocks.length) {
      return NONE;
    }
    int[] block = blocks[index];
    int inBlock = PageTable.indexInBlock(page);
    return block == null || inBlock >= block.length ? NONE : block[inBlock];
  }

  void put(long page, int place) {
    int index = (int) (page >>> PageBlock.BITS);
    if (index >= blocks.length) {
      blocks = Arrays.copyOf(blocks, Math.max(index + 1, blocks.length + blocks.length / 2));
    }
    int inBlock = PageTable.indexInBlock(page);
    blocks[index] = withRoomFor(inBlock, blocks[index]);
    blocks[index][inBlock] = place;
  }

  /** It grows by doubling: there may be very many small files. */
  private static int[] withRoomFor(int inBlock, int @Nullable [] block) {
    if (block != null && inBlock < block.length) {
      return block;
    }
    int[] grown = new int[Math.max(LEAST, Integer.highestOneBit(inBlock) * 2)];
    Arrays.fill(grown, NONE);
    if (block != null) {
      System.arraycopy(block, 0, grown, 0, block.length);
    }
    return grown;
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
