// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.util.Arrays;

/**
 * What is known of 512 consecutive pages of a file: their hashes, and where their contents are
 * kept. Blocks are shared between the current state, images and workspaces, and copied when one
 * that is shared must change. They grow up to the last page that is not zeros: there may be very
 * many small files.
 */
public final class PageBlock {
  static final int BITS = 9;
  public static final int PAGES = 1 << BITS;

  /** Pages that any block has room for which has one. */
  private static final int LEAST = 2;

  /** The slot of a page that lies over zeros. */
  static final int ZEROS_BELOW = -1;

  /** Nothing but zeros. */
  public static final PageBlock ZEROS = new PageBlock(new long[0], new int[0], -1);

  /** Two for each page; zeros beyond the end. */
  private long[] hashes;

  /** One for each page; zeros beyond the end. */
  private int[] slots;

  private final int epoch;

  private PageBlock(long[] hashes, int[] slots, int epoch) {
    this.hashes = hashes;
    this.slots = slots;
    this.epoch = epoch;
  }

  /**
   * A block whose contents are where the table's owner knows them to be.
   *
   * @param hashes two for each page, which are copied
   */
  static PageBlock ofHashes(long[] hashes) {
    int end = hashes.length;
    while (end > 0 && (hashes[end - 1] | hashes[end - 2]) == 0) {
      end -= 2;
    }
    return new PageBlock(Arrays.copyOf(hashes, end), ZEROS.slots, -1);
  }

  /** This block if it may be changed in this epoch, or else a copy that may. */
  PageBlock ownedBy(int currentEpoch) {
    return epoch == currentEpoch
        ? this
        : new PageBlock(hashes.clone(), slots.clone(), currentEpoch);
  }

  public long low(int page) {
    return hash(2 * page);
  }

  public long high(int page) {
    return hash(2 * page + 1);
  }

  private long hash(int index) {
    return index < hashes.length ? hashes[index] : 0;
  }

  /**
   * The slot of the {@link PageStore}; 0 when the content is that of the base, or zeros; {@link
   * #ZEROS_BELOW}.
   */
  int slot(int page) {
    return page < slots.length ? slots[page] : 0;
  }

  boolean isZero(int page) {
    return (low(page) | high(page)) == 0;
  }

  boolean samePage(PageBlock other, int page) {
    return low(page) == other.low(page) && high(page) == other.high(page);
  }

  boolean sameHashes(long[] others) {
    int both = Math.min(hashes.length, others.length);
    return Arrays.equals(hashes, 0, both, others, 0, both)
        && areZeros(hashes, both)
        && areZeros(others, both);
  }

  void setHash(int page, long low, long high) {
    if (2 * page >= hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * roomFor(page));
    }
    hashes[2 * page] = low;
    hashes[2 * page + 1] = high;
  }

  void setSlot(int page, int slot) {
    if (page >= slots.length) {
      slots = Arrays.copyOf(slots, roomFor(page));
    }
    slots[page] = slot;
  }

  private static boolean areZeros(long[] hashes, int from) {
    for (int index = from; index < hashes.length; index++) {
      if (hashes[index] != 0) {
        return false;
      }
    }
    return true;
  }

  /** A number of pages that doubles as a block grows. */
  private static int roomFor(int page) {
    return Math.max(LEAST, Integer.highestOneBit(page) * 2);
  }
}
