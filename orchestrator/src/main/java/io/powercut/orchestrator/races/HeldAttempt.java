// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.recorder.HeldWriter;
import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.rundir.RaceLog;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a race once its writer was held.
 *
 * @param seen the race as it then was, if it was seen
 * @param isHarmful whether recovery failed where a crash was tried for it
 */
record HeldAttempt(HeldOrder order, Optional<RaceLog.Found> seen, boolean isHarmful) {
  /** Outcomes, the one that says least first. */
  private static final List<String> OUTCOMES =
      List.of(HeldOrder.FAILED, HeldOrder.IMPOSSIBLE, HeldOrder.UNUSED, HeldOrder.TRIED);

  /** The target ran to its end. */
  static HeldAttempt of(HeldWriter writer, Optional<RaceLog.Found> seen, boolean isHarmful) {
    String outcome = HeldOrder.IMPOSSIBLE;
    if (seen.filter(race -> race.evidence().tried().isPresent()).isPresent()) {
      outcome = HeldOrder.TRIED;
    } else if (seen.filter(race -> race.evidence().observations() > 0).isPresent()) {
      outcome = HeldOrder.UNUSED;
    }
    return new HeldAttempt(order(writer, outcome), seen, isHarmful);
  }

  /** It did not. */
  static HeldAttempt failed(HeldWriter writer) {
    return new HeldAttempt(order(writer, HeldOrder.FAILED), Optional.empty(), false);
  }

  private static HeldOrder order(HeldWriter writer, String outcome) {
    return new HeldOrder(writer.thread(), writer.store(), outcome, writer.persister(), 1);
  }

  /** Whether the reader did not come to its load while the writer was held. */
  boolean isImpossible() {
    return order.outcome().equals(HeldOrder.IMPOSSIBLE);
  }

  /** Whether another store may show more. The target may fail again, as often as it is tried. */
  boolean isOpen() {
    return !isHarmful && !order.outcome().equals(HeldOrder.FAILED);
  }

  /**
   * The one of two that says more: that shows harm, or has the better outcome; this one if they say
   * the same. It counts the stores of both.
   */
  HeldAttempt orBetter(HeldAttempt other) {
    boolean isSameStore =
        order.thread() == other.order.thread() && order.store() == other.order.store();
    HeldAttempt better = other.saysMoreThan(this) ? other : this;
    return isSameStore
        ? better
        : new HeldAttempt(
            better.order.ofStores(order.stores() + other.order.stores()),
            better.seen,
            better.isHarmful);
  }

  private boolean saysMoreThan(HeldAttempt other) {
    return isHarmful == other.isHarmful
        ? OUTCOMES.indexOf(order.outcome()) > OUTCOMES.indexOf(other.order.outcome())
        : isHarmful;
  }
}
