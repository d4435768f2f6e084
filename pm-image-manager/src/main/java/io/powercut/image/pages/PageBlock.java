// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import java.util.Arrays;

/**
 * What is known of 512 consecutive pages of a file: their hashes, and where their contents are
 * kept. Blocks are shared between the current state, images and workspaces, and copied when one
 * that is shared must change.
 */
public final class PageBlock {
  static final int BITS = 9;
  public static final int PAGES = 1 << BITS;

  /** The slot of a page that lies over zeros. */
  static final int ZEROS_BELOW = -1;

  /** Nothing but zeros. */
  public static final PageBlock ZEROS = new PageBlock(new long[2 * PAGES], new int[PAGES], -1);

  private final long[] hashes;
  private final int[] slots;
  private final int epoch;

  private PageBlock(long[] hashes, int[] slots, int epoch) {
    this.hashes = hashes;
    this.slots = slots;
    this.epoch = epoch;
  }

  /** A block whose contents are where the table's owner knows them to be. */
  static PageBlock ofHashes(long[] hashes) {
    return new PageBlock(hashes, ZEROS.slots, -1);
  }

  /** This block if it may be changed in this epoch, or else a copy that may. */
  PageBlock ownedBy(int currentEpoch) {
    return epoch == currentEpoch
        ? this
        : new PageBlock(hashes.clone(), slots.clone(), currentEpoch);
  }

  public long low(int page) {
    return hashes[2 * page];
  }

  public long high(int page) {
    return hashes[2 * page + 1];
  }

  /**
   * The slot of the {@link PageStore}; 0 when the content is that of the base, or zeros; {@link
   * #ZEROS_BELOW}.
   */
  int slot(int page) {
    return slots[page];
  }

  boolean isZero(int page) {
    return (hashes[2 * page] | hashes[2 * page + 1]) == 0;
  }

  boolean samePage(PageBlock other, int page) {
    return hashes[2 * page] == other.hashes[2 * page]
        && hashes[2 * page + 1] == other.hashes[2 * page + 1];
  }

  boolean sameHashes(long[] others) {
    return Arrays.equals(hashes, others);
  }

  void setHash(int page, long low, long high) {
    hashes[2 * page] = low;
    hashes[2 * page + 1] = high;
  }

  void setSlot(int page, int slot) {
    slots[page] = slot;
  }
}
