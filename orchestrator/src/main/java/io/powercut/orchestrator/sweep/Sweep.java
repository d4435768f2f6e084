// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.Interruption;
import io.powercut.report.history.History;
import io.powercut.report.history.SweepLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Runs campaigns one after the other, each with all processors. Whatever happens to one, the next
 * has its turn; each is in the history as soon as it has ended.
 */
public final class Sweep {
  private static final double NANOSECONDS = 1e9;

  private final SweepPlan plan;
  private final Path runs;
  private final History history;
  private final Optional<Duration> time;
  private final SweepListener listener;

  /**
   * @param plan what to run
   * @param runs folder of all runs
   * @param history where results are kept
   * @param time for the whole sweep; as much as it takes when there is none
   * @param listener receives the events
   */
  public Sweep(
      SweepPlan plan, Path runs, History history, Optional<Duration> time, SweepListener listener) {
    this.plan = plan;
    this.runs = runs;
    this.history = history;
    this.time = time;
    this.listener = listener;
  }

  /** Runs all campaigns. */
  public SweepOutcome run() {
    return run(history.sweeps().begin(plan.request(), Instant.now()));
  }

  /**
   * Goes on with the latest sweep of the same campaigns: runs those that it did not come to, and
   * what is left of those that are incomplete.
   *
   * @throws PowercutException if there is none, or it is still running
   */
  public SweepOutcome resume() {
    SweepLog.Begun sweep =
        history
            .sweeps()
            .latest(plan.request())
            .orElseThrow(
                () ->
                    PowercutException.usage(
                        "there is no sweep of the same campaigns with the same --set; start one without"
                            + " --resume."));
    if (sweep.isRunning()) {
      throw PowercutException.notTrustworthy(
          "the sweep begun at " + sweep.started() + " is still running; wait until it ends.");
    }
    history.sweeps().resume(sweep);
    return run(sweep);
  }

  private SweepOutcome run(SweepLog.Begun sweep) {
    long started = System.nanoTime();
    SharedBudget budget = new SharedBudget(time, System::nanoTime);
    List<SweepResult> results = new ArrayList<>();
    List<PlannedCampaign> campaigns = inOrder();
    try (Interruption interruption = new Interruption(() -> {})) {
      for (PlannedCampaign planned : campaigns) {
        Turn turn = new Turn(planned, runs, history, sweep);
        int left = campaigns.size() - results.size();
        SweepResult result =
            turn.ended().orElseGet(() -> take(turn, planned, left, budget, interruption));
        results.add(result);
        listener.ended(result, results.size(), campaigns.size());
      }
    }
    return new SweepOutcome(results, (System.nanoTime() - started) / NANOSECONDS);
  }

  private SweepResult take(
      Turn turn,
      PlannedCampaign planned,
      int left,
      SharedBudget budget,
      Interruption interruption) {
    if (interruption.isRequested()) {
      return SweepResult.notRun(planned.name(), Turn.INTERRUPTED);
    }
    if (budget.isSpent()) {
      return SweepResult.notRun(planned.name(), "the sweep's time was used up");
    }
    Optional<Duration> share = budget.share(left);
    int count = plan.campaigns().size();
    return turn.run(
        share, listener.begins(planned.name(), count - left + 1, count, share), interruption);
  }

  /** Under a budget, campaigns that had too little time the last time get what the others leave. */
  private List<PlannedCampaign> inOrder() {
    return time.isEmpty()
        ? plan.campaigns()
        : plan.campaigns().stream().sorted(Comparator.comparing(this::wasCutShort)).toList();
  }

  private boolean wasCutShort(PlannedCampaign planned) {
    return history
        .timeline(planned.name())
        .filter(timeline -> timeline.last().facts().isCutShort())
        .isPresent();
  }
}
