// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import java.util.HashMap;
import java.util.Map;

/**
 * Pages of images with very many accesses: to watch them may take longer than the recoveries that
 * this saves. Images of one run are much alike, and so are the recoveries, so what it took before
 * says what it will take. Safe for use by several threads.
 */
public final class CostlyPages {
  private static final long PAGE = 4096;

  /**
   * With more traps a page takes a tenth of a short recovery, and more often than not saves none.
   */
  private static final long COSTLY = 256;

  /** A costly page is watched all the same one time in so many: it may have changed. */
  private static final int TRIED = 32;

  private final Map<ImageLine, Page> pages = new HashMap<>();

  /** What is known of a page. */
  private static final class Page {
    private long traps;
    private int skipped;

    boolean isWorthWatching() {
      return traps <= COSTLY || ++skipped % TRIED == 0;
    }
  }

  private static ImageLine page(ImageLine line) {
    return new ImageLine(line.path(), line.offset() / PAGE * PAGE);
  }

  /**
   * Lines without those of costly pages, which then count as read.
   *
   * @param effort with more than the usual one all are watched
   */
  synchronized Map<ImageLine, Long> worthWatching(Map<ImageLine, Long> asked, Effort effort) {
    Map<ImageLine, Long> worth = new HashMap<>(asked);
    if (effort == Effort.USUAL) {
      Map<ImageLine, Boolean> isWorth = new HashMap<>();
      worth
          .keySet()
          .removeIf(
              line -> {
                Page known = pages.get(page(line));
                return known != null
                    && !isWorth.computeIfAbsent(page(line), page -> known.isWorthWatching());
              });
    }
    return worth;
  }

  /** So many accesses to the page of a line trapped when it was watched. */
  synchronized void learn(ImageLine line, long traps) {
    pages.computeIfAbsent(page(line), page -> new Page()).traps = traps;
  }
}
