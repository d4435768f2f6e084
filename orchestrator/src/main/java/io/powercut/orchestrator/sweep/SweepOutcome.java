// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.exit.ExitCode;
import io.powercut.report.sweep.SweepResult;
import io.powercut.report.sweep.SweepTotals;
import java.util.List;

/**
 * The outcome of a sweep.
 *
 * @param results in the order in which the campaigns had their turn
 * @param seconds of wall time
 */
public record SweepOutcome(List<SweepResult> results, double seconds) {
  private static final List<ExitCode> MOST_PRESSING_FIRST =
      List.of(
          ExitCode.NEW_BUGS,
          ExitCode.NOT_TRUSTWORTHY,
          ExitCode.WRONG_USAGE,
          ExitCode.INCOMPLETE,
          ExitCode.NOTHING_NEW);

  /** Copies the list. */
  public SweepOutcome {
    results = List.copyOf(results);
  }

  /**
   * That of the campaign to look at first: new bugs before what is not trustworthy, that before
   * wrong files, those before what is incomplete.
   */
  public ExitCode exit() {
    return MOST_PRESSING_FIRST.stream()
        .filter(exit -> results.stream().anyMatch(one -> one.exit() == exit))
        .findFirst()
        .orElse(ExitCode.NOTHING_NEW);
  }

  /** How many campaigns came to what. */
  public SweepTotals totals() {
    return SweepTotals.of(results);
  }
}
