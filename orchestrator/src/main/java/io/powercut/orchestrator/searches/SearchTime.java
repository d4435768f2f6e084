// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.searches;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How much longer recoveries may run in a whole run to decide all states of its moments. Safe for
 * use by several threads.
 */
final class SearchTime {
  /** Of a run that is not long. */
  private static final Duration USUAL = Duration.ofSeconds(20);

  /**
   * How often failure points are reached in a run that is not long. In one that is, hardly any
   * failure point is decided at all of its occurrences (benchmarks/states/README.md), so the time
   * is less in proportion.
   */
  private static final long NOT_LONG = 1 << 14;

  private final Optional<Duration> wanted;
  private final AtomicLong spent = new AtomicLong();
  private final AtomicLong longest = new AtomicLong();
  private volatile LongSupplier reached = () -> 0;

  /**
   * @param wanted in a run of any length; nothing for what is usual in a run of that length
   */
  SearchTime(Optional<Duration> wanted) {
    this.wanted = wanted;
  }

  /**
   * What tells how long the run is.
   *
   * @param reached gives how often failure points were reached up to now
   */
  void follow(LongSupplier reached) {
    this.reached = reached;
  }

  /**
   * How many recoveries one moment gets. The less time is left the fewer they are: so what is cheap
   * to decide is decided up to the end.
   *
   * @param most with all the time
   */
  int share(int most) {
    long whole = whole();
    long now = Math.max(0, whole - spent.get());
    return whole == 0 ? 0 : (int) Math.ceil((double) most * now / whole);
  }

  /** Whether a moment gets any. */
  boolean isLeft() {
    return whole() > spent.get();
  }

  /** A recovery has run for it. */
  void spend(Duration time) {
    spent.addAndGet(time.toNanos());
  }

  private long whole() {
    return wanted.map(Duration::toNanos).orElseGet(this::usual);
  }

  private long usual() {
    long length = longest.accumulateAndGet(reached.getAsLong(), Math::max);
    return (long) (USUAL.toNanos() / Math.max(1, (double) length / NOT_LONG));
  }
}
