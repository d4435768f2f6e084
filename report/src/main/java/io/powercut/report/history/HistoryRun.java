// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.time.Instant;

/**
 * One run among those of its campaign.
 *
 * @param position which run it is, from 1, in the order of their beginnings
 * @param facts what it came to
 * @param findings how many it showed
 */
public record HistoryRun(int position, RunRecord facts, FindingCounts findings) {
  /** When it began. */
  public Instant started() {
    return facts.started();
  }
}
