// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much longer recoveries may run in a whole run to decide all states of its moments. Safe for
 * use by several threads.
 */
final class SearchTime {
  private final long whole;
  private final AtomicLong left;

  SearchTime(Duration whole) {
    this.whole = whole.toNanos();
    this.left = new AtomicLong(whole.toNanos());
  }

  /**
   * How many recoveries one moment gets. The less time is left the fewer they are: so what is cheap
   * to decide is decided up to the end.
   *
   * @param most with all the time
   */
  int share(int most) {
    long now = Math.max(0, left.get());
    return whole == 0 ? 0 : (int) Math.ceil((double) most * now / whole);
  }

  /** Whether a moment gets any. */
  boolean isLeft() {
    return left.get() > 0;
  }

  /** A recovery has run for it. */
  void spend(Duration time) {
    left.addAndGet(-time.toNanos());
  }
}
