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
 */
record HeldAttempt(HeldOrder order, Optional<RaceLog.Found> seen) {
  /** Outcomes, the one that says least first. */
  private static final List<String> OUTCOMES =
      List.of(HeldOrder.FAILED, HeldOrder.IMPOSSIBLE, HeldOrder.UNUSED, HeldOrder.TRIED);

  /** The target ran to its end. */
  static HeldAttempt of(HeldWriter writer, Optional<RaceLog.Found> seen) {
    String outcome = HeldOrder.IMPOSSIBLE;
    if (seen.filter(race -> race.evidence().tried().isPresent()).isPresent()) {
      outcome = HeldOrder.TRIED;
    } else if (seen.filter(race -> race.evidence().observations() > 0).isPresent()) {
      outcome = HeldOrder.UNUSED;
    }
    return new HeldAttempt(order(writer, outcome), seen);
  }

  /** It did not. */
  static HeldAttempt failed(HeldWriter writer) {
    return new HeldAttempt(order(writer, HeldOrder.FAILED), Optional.empty());
  }

  private static HeldOrder order(HeldWriter writer, String outcome) {
    return new HeldOrder(writer.thread(), writer.store(), outcome, writer.persister());
  }

  /** Whether the reader did not come to its load while the writer was held. */
  boolean isImpossible() {
    return order.outcome().equals(HeldOrder.IMPOSSIBLE);
  }

  /** The one of two that says more; this one if they say the same. */
  HeldAttempt orBetter(HeldAttempt other) {
    return OUTCOMES.indexOf(other.order.outcome()) > OUTCOMES.indexOf(order.outcome())
        ? other
        : this;
  }
}
