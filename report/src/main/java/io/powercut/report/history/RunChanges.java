// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.util.List;

/**
 * What is different in a campaign's findings.
 *
 * @param added never seen before
 * @param again seen again after they had been gone
 * @param gone gone
 */
public record RunChanges(
    List<FindingHistory> added, List<FindingHistory> again, List<FindingHistory> gone) {
  /** Nothing is different. */
  public static final RunChanges NONE = new RunChanges(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public RunChanges {
    added = List.copyOf(added);
    again = List.copyOf(again);
    gone = List.copyOf(gone);
  }
}
