// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import io.powercut.tree.Severity;
import java.util.List;
import java.util.Locale;

/**
 * A finding of a campaign, as it was seen last.
 *
 * @param fingerprint its identity
 * @param former what earlier versions of Powercut called it
 * @param severity how much it claims
 * @param kind a verdict's or a pattern's, such as {@code UNRECOVERABLE}
 * @param title what was seen, in one line
 * @param place where it is, in one line; empty when that is not known
 */
public record KnownFinding(
    String fingerprint,
    List<String> former,
    Severity severity,
    String kind,
    String title,
    String place) {
  /** Copies the list. */
  public KnownFinding {
    former = List.copyOf(former);
  }

  /** The kind in words: {@code redundant flush}. */
  public String kindInWords() {
    return kind.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
