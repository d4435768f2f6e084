// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

/**
 * What is to be done to the pages of a block.
 *
 * @param have what is there
 * @param kept pages from this one on hold zeros, whatever {@code have} says
 * @param want what shall be there
 */
record BlockPlan(PageBlock have, int kept, PageBlock want) {
  /** What is to be done to a page. */
  enum Action {
    /** It is as it shall be. */
    KEEP,
    /** It shall be zeros. */
    CLEAR,
    /** It shall be something else. */
    WRITE
  }

  Action action(int page) {
    PageBlock really = page < kept ? have : PageBlock.ZEROS;
    if (want.samePage(really, page)) {
      return Action.KEEP;
    }
    return want.isZero(page) ? Action.CLEAR : Action.WRITE;
  }

  /** The first page after {@code start} that cannot be dealt with in one go with it. */
  int endOfRun(int start) {
    Action action = action(start);
    int page = start + 1;
    while (page < PageBlock.PAGES
        && action(page) == action
        && (action != Action.WRITE || isReadWith(start, page))) {
      page++;
    }
    return page;
  }

  /** Whether the page's content lies after that of an earlier one at the same distance. */
  private boolean isReadWith(int start, int page) {
    int slot = want.slot(start);
    return want.slot(page) == (slot <= 0 ? slot : slot + page - start);
  }
}
