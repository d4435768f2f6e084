// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.tree.FailurePointId;

/**
 * Where recovery is cut, as logs and commands name it: {@code ID}, or {@code ID@N} for a later
 * occurrence.
 *
 * @param id of recovery's failure point
 * @param occurrence which of its occurrences, from 1
 */
public record CutPlace(FailurePointId id, long occurrence) {
  private static final char AT = '@';

  /**
   * The place of a name.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static CutPlace parse(String name) {
    int at = name.indexOf(AT);
    return at < 0
        ? new CutPlace(FailurePointId.parse(name), 1)
        : new CutPlace(
            FailurePointId.parse(name.substring(0, at)), Long.parseLong(name.substring(at + 1)));
  }

  /** Whether a name means it of which the first digits of the ID are given; in lower case. */
  public boolean begins(String name) {
    int at = name.indexOf(AT);
    String digits = at < 0 ? name : name.substring(0, at);
    return id.toString().startsWith(digits)
        && (at < 0 || name.substring(at + 1).equals(Long.toString(occurrence)));
  }

  @Override
  public String toString() {
    return occurrence > 1 ? id.toString() + AT + occurrence : id.toString();
  }
}
