// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import java.util.Optional;

/** What is still to be judged at an occurrence of a failure point. */
enum Due {
  /** All of it was judged, or cannot be: the program-order image is a bug itself. */
  NOTHING,
  /** The program-order image is known to be consistent; what lies beside it is not judged yet. */
  BESIDE_THE_IMAGE,
  /** The program-order image, and then what lies beside it. */
  IMAGE;

  /**
   * @param verdict on the program-order image by an earlier part of the run
   * @param statesAreLeft whether crash states were chosen that are not judged yet
   * @param recoveryMayBeCut whether recovery on this image may be chosen to be cut
   */
  static Due of(Optional<Judgement> verdict, boolean statesAreLeft, boolean recoveryMayBeCut) {
    if (verdict.isEmpty()) {
      return IMAGE;
    }
    boolean isConsistent = verdict.get().kind() == Verdict.Kind.CONSISTENT;
    return isConsistent && (statesAreLeft || recoveryMayBeCut) ? BESIDE_THE_IMAGE : NOTHING;
  }
}
