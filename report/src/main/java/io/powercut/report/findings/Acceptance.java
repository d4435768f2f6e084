// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import java.util.Optional;

/**
 * A finding that was looked at and is lived with; it does not fail a run.
 *
 * @param reason why, in the words of who accepted it
 * @param date when, as {@code 2026-01-31}
 * @param formerFingerprint what it was accepted as, when that is what an earlier version of
 *     Powercut called it; others may have been called so, too
 */
public record Acceptance(String reason, String date, Optional<String> formerFingerprint) {
  /** One that was accepted as what it is called now. */
  public Acceptance(String reason, String date) {
    this(reason, date, Optional.empty());
  }
}
