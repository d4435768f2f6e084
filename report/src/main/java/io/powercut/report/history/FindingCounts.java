// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

/**
 * How many findings a run showed.
 *
 * @param bugs of severity bug, not accepted
 * @param races of severity race, not accepted
 * @param performance performance bugs, not accepted
 * @param warnings not accepted
 * @param accepted findings of any severity that are lived with
 */
public record FindingCounts(long bugs, long races, long performance, long warnings, long accepted) {
  /** No findings. */
  public static final FindingCounts NONE = new FindingCounts(0, 0, 0, 0, 0);

  /** All of them. */
  public long total() {
    return bugs + races + performance + warnings + accepted;
  }
}
