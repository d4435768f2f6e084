// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sweep;

import io.powercut.report.history.History;
import io.powercut.report.history.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The latest sweep, as far as it has come.
 *
 * @param started when it began
 * @param results one a campaign, in the order in which they were named
 */
public record LastSweep(Instant started, List<SweepResult> results) {
  /** Copies the list. */
  public LastSweep {
    results = List.copyOf(results);
  }

  /** That of a history; nothing when it has none. */
  public static Optional<LastSweep> of(History history) {
    return history
        .sweeps()
        .last()
        .filter(sweep -> !sweep.campaigns().isEmpty())
        .map(
            sweep ->
                new LastSweep(
                    sweep.started(),
                    sweep.campaigns().stream()
                        .map(name -> result(name, history, sweep.started()))
                        .toList()));
  }

  private static SweepResult result(String campaign, History history, Instant started) {
    Optional<Timeline> timeline = history.timeline(campaign);
    return timeline
        .map(Timeline::last)
        .filter(run -> !run.started().isBefore(started))
        .map(run -> SweepResult.of(timeline.orElseThrow(), run))
        .orElseGet(() -> SweepResult.notRun(campaign, "its turn has not come"));
  }

  /** How many campaigns came to what. */
  public SweepTotals totals() {
    return SweepTotals.of(results);
  }

  /** The campaigns that came to this. */
  public List<SweepResult> of(SweepResult.Kind kind) {
    return results.stream().filter(result -> result.kind() == kind).toList();
  }
}
