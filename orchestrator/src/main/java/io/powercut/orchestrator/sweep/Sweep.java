// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.Interruption;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Workers;
import io.powercut.report.history.History;
import io.powercut.report.history.SweepLog;
import io.powercut.report.sweep.SweepResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs campaigns one after the other, each with all processors. Whatever happens to one, the next
 * has its turn; each is in the history as soon as it has ended.
 */
public final class Sweep {
  private static final double NANOSECONDS = 1e9;
  private static final String TOO_LITTLE_TIME = "too little time was left";

  /** What a campaign is given that was never run, if an even share is less. */
  private static final Duration WHEN_UNKNOWN = Duration.ofMinutes(1);

  private final SweepPlan plan;
  private final Path runs;
  private final History history;
  private final Optional<Duration> time;
  private final SweepListener listener;
  private final CampaignRunner runner;

  /**
   * @param plan what to run
   * @param runs folder of all runs
   * @param history where results are kept
   * @param time for the whole sweep; as much as it takes when there is none
   * @param listener receives the events
   * @param runner runs the campaigns
   */
  public Sweep(
      SweepPlan plan,
      Path runs,
      History history,
      Optional<Duration> time,
      SweepListener listener,
      CampaignRunner runner) {
    this.plan = plan;
    this.runs = runs;
    this.history = history;
    this.time = time;
    this.listener = listener;
    this.runner = runner;
  }

  /** Runs all campaigns. */
  public SweepOutcome run() {
    return run(
        history
            .sweeps()
            .begin(
                plan.request(),
                plan.campaigns().stream().map(PlannedCampaign::name).toList(),
                Instant.now()));
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
    Round round = new Round(sweep);
    try (Interruption interruption = new Interruption(runner::interrupt)) {
      if (runner.takesAllAtOnce()) {
        round.takeAll(interruption);
      } else {
        for (PlannedCampaign planned : round.campaigns) {
          round.ended(round.result(planned, interruption));
        }
      }
    }
    return new SweepOutcome(round.results, (System.nanoTime() - started) / NANOSECONDS);
  }

  /** Every campaign has its turn once. */
  private final class Round {
    private final SweepLog.Begun sweep;
    private final SharedBudget budget = new SharedBudget(time, System::nanoTime);
    private final Rotation rotation = new Rotation(history);
    private final List<PlannedCampaign> campaigns;
    private final List<SweepResult> results = new ArrayList<>();

    /** How many are still to run. */
    private int left;

    Round(SweepLog.Begun sweep) {
      this.sweep = sweep;
      this.campaigns = time.isEmpty() ? plan.campaigns() : rotation.order(plan.campaigns());
      this.left = (int) campaigns.stream().filter(one -> turn(one).ended().isEmpty()).count();
    }

    private Turn turn(PlannedCampaign planned) {
      return new Turn(planned, runs, history, sweep, runner);
    }

    void ended(SweepResult result) {
      results.add(result);
      listener.ended(result, results.size(), campaigns.size());
    }

    /** All at once, since others do the work; results are in the order in which they come. */
    void takeAll(Interruption interruption) {
      List<SweepResult> earlier =
          campaigns.stream().flatMap(one -> turn(one).ended().stream()).toList();
      earlier.forEach(this::ended);
      List<PlannedCampaign> open =
          campaigns.stream().filter(one -> turn(one).ended().isEmpty()).toList();
      if (open.isEmpty()) {
        return;
      }
      AtomicInteger next = new AtomicInteger();
      Workers.run(
          "campaign",
          open.size(),
          () -> {
            PlannedCampaign planned = open.get(next.getAndIncrement());
            Progress progress;
            synchronized (this) {
              progress =
                  listener.begins(
                      planned.name(), open.indexOf(planned) + 1, campaigns.size(), time);
            }
            SweepResult result = turn(planned).run(time, progress, interruption);
            synchronized (this) {
              ended(result);
            }
          });
    }

    SweepResult result(PlannedCampaign planned, Interruption interruption) {
      Turn turn = turn(planned);
      return turn.ended().orElseGet(() -> take(turn, planned, interruption));
    }

    private SweepResult take(Turn turn, PlannedCampaign planned, Interruption interruption) {
      int sharing = left--;
      Optional<Duration> expected = rotation.expected(planned);
      if (interruption.isRequested()) {
        return SweepResult.notRun(planned.name(), Turn.INTERRUPTED);
      }
      if (budget.isSpent() || !expected.map(budget::isEnoughFor).orElse(true)) {
        return SweepResult.notRun(planned.name(), TOO_LITTLE_TIME);
      }
      Optional<Duration> share = budget.share(sharing, expected.orElse(WHEN_UNKNOWN));
      return turn.run(
          share,
          listener.begins(planned.name(), results.size() + 1, campaigns.size(), share),
          interruption);
    }
  }
}
