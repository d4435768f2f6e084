// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

/**
 * A sum over the pages of a file, each with its place, that a page can join and leave at any time.
 * Pages of zeros count nothing. The idea is that of incremental hashing (Bellare and Micciancio, "A
 * New Paradigm for Collision-free Hashing", 1997), here against accidents, not against adversaries.
 */
final class PageSum {
  private long low;
  private long high;

  long low() {
    return low;
  }

  long high() {
    return high;
  }

  void add(long page, long pageLow, long pageHigh) {
    if ((pageLow | pageHigh) != 0) {
      low += Mixing.mix(page + Mixing.FIRST_SEED, pageLow);
      high += Mixing.mix(page + Mixing.SECOND_SEED, pageHigh);
    }
  }

  void remove(long page, long pageLow, long pageHigh) {
    if ((pageLow | pageHigh) != 0) {
      low -= Mixing.mix(page + Mixing.FIRST_SEED, pageLow);
      high -= Mixing.mix(page + Mixing.SECOND_SEED, pageHigh);
    }
  }

  /** The same sum, which does not change with this one. */
  PageSum copy() {
    PageSum copy = new PageSum();
    copy.low = low;
    copy.high = high;
    return copy;
  }

  static PageSum of(PageTable table) {
    PageSum sum = new PageSum();
    for (int index = 0; index < table.blockCount(); index++) {
      PageBlock block = table.block(index);
      for (int page = 0; page < PageBlock.PAGES; page++) {
        sum.add(((long) index << PageBlock.BITS) + page, block.low(page), block.high(page));
      }
    }
    return sum;
  }
}
