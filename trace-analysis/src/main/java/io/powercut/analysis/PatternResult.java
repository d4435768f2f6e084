// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * What the analysis of a trace found.
 *
 * @param reports by severity, kind, count (highest first) and places; the same for the same trace.
 *     Two of one kind differ in their places or in why they were reported
 */
public record PatternResult(List<PatternReport> reports, PatternTotals totals) {
  public PatternResult {
    reports = ImmutableList.copyOf(reports);
  }
}
