// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetFailedException;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.races.RaceOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.evidence.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the target in several orders of its threads, and looks for races in each. */
public final class RaceRuns {
  /** What came of a run. */
  private sealed interface Ran permits Searched, Failed {}

  private record Searched(RaceLog log) implements Ran {}

  private record Failed(FailedOrder order) implements Ran {}

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
    while (next < all && !series.isQuiet()) {
      int count = Math.min(parts.resources().parallel(), all - next);
      Map<Integer, Ran> ran = inParallel(base, next, count);
      if (ran.isEmpty()) {
        break; // One thread alone: another order of threads is the same.
      }
      for (int number = next; number < next + count; number++) {
        Ran one = ran.get(number);
        if (one instanceof Searched searched) {
          series.add(number, searched.log());
        } else if (one instanceof Failed failed) {
          series.fail(failed.order());
        }
      }
      next += count;
    }
    return series;
  }

  private Map<Integer, Ran> inParallel(Path base, int first, int count) {
    Map<Integer, Ran> found = new ConcurrentHashMap<>();
    AtomicInteger numbers = new AtomicInteger(first);
    Workers.run(
        "races",
        count,
        () -> {
          int number = numbers.getAndIncrement();
          once(base, number).ifPresent(ran -> found.put(number, ran));
          progress.step("orders of threads", number + 1, campaign.races().runs());
        });
    return found;
  }

  private Optional<Ran> once(Path base, int number) {
    Observation observation = Observation.ofRaces(campaign, options);
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    InstrumentedRun target = parts.instrumentedRun(number);
    try {
      target
          .run(
              base,
              tree,
              observation,
              Following.of((ordinal, stack, instruction, isNew) -> {}, List.of()))
          .close();
    } catch (TargetFailedException e) {
      if (number == 0) {
        throw e;
      }
      ThreadSchedule order = ThreadSchedules.another(campaign, number);
      return Optional.of(
          new Failed(new FailedOrder(order.policy().label(), order.seed(), e.problem(), 1)));
    }
    return observation.races().map(Searched::new);
  }
}
