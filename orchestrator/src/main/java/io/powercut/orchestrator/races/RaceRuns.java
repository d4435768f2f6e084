// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.TargetFailedException;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.races.RaceOptions;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the target in several orders of its threads, and looks for races in each. */
public final class RaceRuns {
  private final Campaign campaign;
  private final RaceOptions options;
  private final RunParts parts;
  private final Progress progress;

  /**
   * @param options what counts as a race
   */
  public RaceRuns(Campaign campaign, RaceOptions options, RunParts parts, Progress progress) {
    this.campaign = campaign;
    this.options = options;
    this.parts = parts;
    this.progress = progress;
  }

  /**
   * Runs the target until the campaign's number of runs is reached, or as many in a row as it wants
   * have shown nothing new.
   *
   * @param base the PM directory after set-up
   * @param first the first order: 0 for the campaign's own
   * @return what they found; empty if one thread alone used persistent memory
   * @throws PowercutException if the target fails in the campaign's own order; that it fails in
   *     another one is part of the result
   */
  public RaceSeries search(Path base, int first) {
    RaceSeries series = new RaceSeries(campaign.races().untilQuiet());
    int all = campaign.races().runs();
    int next = first;
    boolean handsOver = false;
    while (next < all && !series.isQuiet()) {
      int count = Math.min(parts.resources().parallel(), all - next);
      SortedMap<Integer, Found> found = new ConcurrentSkipListMap<>();
      SortedMap<Integer, FailedOrder> failed = new ConcurrentSkipListMap<>();
      inParallel(base, next, count, found, failed);
      if (found.isEmpty() && failed.isEmpty()) {
        break; // One thread alone: another order of threads is the same.
      }
      for (Map.Entry<Integer, Found> run : found.entrySet()) {
        series.add(run.getKey(), run.getValue().races());
        handsOver |= run.getValue().handsOver();
      }
      failed.values().forEach(series::fail);
      next += count;
    }
    if (first == 0 && all == 1 && (series.isSerial() || handsOver)) {
      addAnotherOrder(base, series);
    }
    return series;
  }

  /** Where the run shows little of what its threads may do to one another, another order does. */
  private void addAnotherOrder(Path base, RaceSeries series) {
    boolean serial = series.isSerial();
    progress.phase(OtherOrder.phase(serial));
    try {
      once(base, OtherOrder.NUMBER)
          .map(run -> OtherOrder.added(serial, run.races()))
          .ifPresent(races -> series.add(OtherOrder.NUMBER, races));
    } catch (TargetFailedException e) {
      series.fail(failure(OtherOrder.NUMBER, e));
    }
  }

  private void inParallel(
      Path base,
      int first,
      int count,
      Map<Integer, Found> found,
      Map<Integer, FailedOrder> failed) {
    AtomicInteger numbers = new AtomicInteger(first);
    Workers.run(
        "races",
        count,
        () -> {
          int number = numbers.getAndIncrement();
          try {
            once(base, number).ifPresent(run -> found.put(number, run));
          } catch (TargetFailedException e) {
            if (number == 0) {
              throw e;
            }
            failed.put(number, failure(number, e));
          }
          progress.step("orders of threads", number + 1, campaign.races().runs());
        });
  }

  private FailedOrder failure(int number, TargetFailedException failure) {
    return OtherOrder.failure(ThreadSchedules.another(campaign, number), failure);
  }

  private Optional<Found> once(Path base, int number) {
    Observation observation = Observation.ofRaces(campaign, options);
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    InstrumentedRun target = parts.instrumentedRun(number);
    target
        .run(
            base,
            tree,
            observation,
            Following.of((ordinal, stack, instruction, isNew) -> {}, List.of()))
        .close();
    return observation.races().map(races -> new Found(races, observation.handsOver()));
  }

  /**
   * What one run showed.
   *
   * @param handsOver whether one thread loaded what another had persisted for itself
   */
  private record Found(RaceLog races, boolean handsOver) {}
}
