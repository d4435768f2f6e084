// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The time of a sweep, shared out evenly: each campaign may take what is left divided by how many
 * are left, so that what one does not use goes to those after it.
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
   */
  Optional<Duration> share(int campaigns) {
    return left().map(rest -> rest.dividedBy(campaigns));
  }

  private Optional<Duration> left() {
    return time.map(whole -> whole.minusNanos(clock.getAsLong() - started));
  }
}
