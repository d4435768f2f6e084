// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Proof;
import java.util.List;
import java.util.Optional;

/**
 * A crash on which recovery failed, and the features that show whether another one is the same.
 *
 * @param proof it in short, with its fingerprint
 * @param former its fingerprints in earlier versions of Powercut
 * @param evidence all that is known of it
 * @param imageHash content hash of the image, if it is known
 * @param ordinal where in the trace the power was cut, if it is known
 * @param window in which window of the trace that is, between two consistent images, if it is known
 * @param reason what recovery did, as {@link io.powercut.report.identity.FailureReason} says
 */
public record Crash(
    Proof proof,
    List<String> former,
    InjectionEvidence evidence,
    Optional<String> imageHash,
    Optional<Long> ordinal,
    Optional<Window> window,
    String reason) {
  /** What it is called by itself. */
  public String fingerprint() {
    return proof.fingerprint();
  }

  /** Whether the image was that of program order. */
  public boolean isOfProgramOrder() {
    return evidence.isOfProgramOrder();
  }

  /** Whether the threads ran as in the recorded run, which is known as a whole. */
  boolean isOfRecordedOrder() {
    return evidence.order() == 0;
  }

  /** Whether no disk could leave the image, since it writes whole sectors. */
  public boolean isOnDaxOnly() {
    return evidence.state().map(JudgedState::daxOnly).orElse(false);
  }

  /** Whether it takes a store that persisted too early. */
  boolean hasArrived() {
    return evidence.state().filter(state -> !state.arrived().isEmpty()).isPresent();
  }
}
