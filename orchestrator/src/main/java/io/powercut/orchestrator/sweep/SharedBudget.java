// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import com.google.common.collect.Comparators;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The time of a sweep. Each campaign may take what is left divided by how many are left, so that
 * what one does not use goes to those after it; or, if that is more, what it is expected to need.
 */
final class SharedBudget {
  private final Optional<Duration> time;
  private final LongSupplier clock;
  private final long started;

  /**
   * @param time for the whole sweep; as much as it takes when there is none
   * @param clock nanoseconds, as {@link System#nanoTime} gives them
   */
  SharedBudget(Optional<Duration> time, LongSupplier clock) {
    this.time = time;
    this.clock = clock;
    this.started = clock.getAsLong();
  }

  /** Whether nothing is left. */
  boolean isSpent() {
    return left().filter(rest -> rest.isNegative() || rest.isZero()).isPresent();
  }

  /**
   * What the next campaign may take; as much as it wants when there is no budget.
   *
   * @param campaigns how many are still to run, that one included; at least 1
   * @param expected what it is expected to need
   */
  Optional<Duration> share(int campaigns, Duration expected) {
    return left()
        .map(rest -> Comparators.min(rest, Comparators.max(rest.dividedBy(campaigns), expected)));
  }

  /**
   * Whether a campaign should begin: in the second half of the time only those should that are
   * expected to end.
   *
   * @param expected what it is expected to need
   */
  boolean isEnoughFor(Duration expected) {
    return time.flatMap(
            whole ->
                left().map(rest -> rest.compareTo(Comparators.min(expected, whole.dividedBy(2)))))
        .map(more -> more >= 0)
        .orElse(true);
  }

  /** What is left; nothing when there is no budget. */
  Optional<Duration> left() {
    return time.map(whole -> whole.minusNanos(clock.getAsLong() - started));
  }
}
