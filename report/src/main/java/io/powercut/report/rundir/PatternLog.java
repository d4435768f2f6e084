// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.facts.TraceTotals;
import java.util.List;

/**
 * The patterns that were found in the trace of a run; {@code patterns.json} holds it.
 *
 * @param totals the instructions of the trace
 * @param patterns what was found, unique by kind and stacks
 */
public record PatternLog(TraceTotals totals, List<Pattern> patterns) {
  /** Copies the list. */
  public PatternLog {
    patterns = List.copyOf(patterns);
  }

  /**
   * One pattern.
   *
   * @param fingerprint of its kind and the functions of its first place
   * @param evidence what was seen
   */
  public record Pattern(String fingerprint, TraceEvidence evidence) {}
}
