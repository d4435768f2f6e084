// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.report.history.History;
import io.powercut.report.history.HistoryRun;
import io.powercut.report.history.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Under a budget, in which order campaigns have their turn and how long each is expected to take:
 * so that what one sweep does not reach comes first in the next, and what is started is finished.
 */
final class Rotation {
  /** A run that ended in time may take this much longer the next time. */
  private static final double MARGIN = 1.25;

  /** A run that was cut short is expected to take this many times as long. */
  private static final double AFTER_A_CUT = 2;

  private static final double MILLISECONDS = 1000;

  private final History history;

  /**
   * @param history knows earlier runs
   */
  Rotation(History history) {
    this.history = history;
  }

  /** Those that never ran, then those whose last run is longest ago; else in the given order. */
  List<PlannedCampaign> order(List<PlannedCampaign> campaigns) {
    return campaigns.stream().sorted(Comparator.comparing(this::lastStart)).toList();
  }

  private Instant lastStart(PlannedCampaign planned) {
    return history
        .timeline(planned.name())
        .map(timeline -> timeline.last().started())
        .orElse(Instant.MIN);
  }

  /** How long a campaign is expected to take; nothing if no run of it came to a report. */
  Optional<Duration> expected(PlannedCampaign planned) {
    return history.timeline(planned.name()).flatMap(Rotation::expected);
  }

  private static Optional<Duration> expected(Timeline timeline) {
    List<HistoryRun> reported =
        timeline.runs().stream()
            .filter(run -> run.facts().hasReport() && run.facts().shard().isEmpty())
            .toList();
    int last = reported.size() - 1;
    if (last < 0) {
      return Optional.empty();
    }
    double whole =
        reported.stream()
            .filter(run -> run.facts().complete())
            .reduce((earlier, later) -> later)
            .map(run -> MARGIN * run.facts().seconds())
            .orElse(0.0);
    double cut =
        reported.get(last).facts().isCutShort()
            ? AFTER_A_CUT * reported.get(last).facts().seconds()
            : 0;
    return Optional.of(Duration.ofMillis(Math.round(MILLISECONDS * Math.max(whole, cut))));
  }
}
