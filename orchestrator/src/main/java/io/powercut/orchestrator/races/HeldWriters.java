// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static java.util.stream.Collectors.toMap;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Observation;
import io.powercut.recorder.HeldWriter;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Brings races about that may happen and did not, or of which nothing followed: runs the target
 * again, and holds the writer between its store and its persist, so that the reader loads the store
 * and acts on it. A crash is tried there.
 *
 * <p>HawkSet and Vardalith leave it to a person to find out whether a race does harm.
 */
public final class HeldWriters {
  private static final Comparator<RaceLog.Found> STRONGEST_FIRST =
      Comparator.comparing(RaceLog.Found::evidence, PersistencyRace.STRONGEST_FIRST);

  /** They may take that long, even where injection took less. */
  private static final Duration LEAST = Duration.ofSeconds(20);

  private final Campaign campaign;
  private final OrderedRun runs;
  private final Workplace workplace;
  private final Scope scope;

  /** Races whose writers were to be held before. */
  private final Set<RacePlaces> asked = new HashSet<>();

  /** How many writers were held by now, at first stores of their races. */
  private int done;

  /** How long that took. */
  private Duration spent = Duration.ZERO;

  /**
   * @param runs runs the target
   * @param scope which failure points, and what that may cost
   */
  public HeldWriters(Campaign campaign, Workplace workplace, OrderedRun runs, Scope scope) {
    this.campaign = campaign;
    this.workplace = workplace;
    this.runs = runs;
    this.scope = scope;
  }

  /**
   * Holds writers, one after the other, as far as the budget allows. A race that was to be held
   * before, whatever came of it, is left as it is.
   *
   * @param base the PM directory after set-up
   * @param seen what the run showed that is made again
   * @param order of that run's threads
   * @param tree gets the failure points at which something was judged
   * @param results get what was judged, where that shows a bug
   * @return the races, each with what came of it
   */
  public RaceLog confirm(
      Path base,
      Observation seen,
      ThreadSchedule order,
      RaceLog races,
      FailurePointTree tree,
      ResultListener results) {
    FindingIdentity identity = seen.identity();
    Map<RacePlaces, PersistencyRace.Level> levels =
        races.races().stream()
            .map(RaceLog.Found::evidence)
            .filter(race -> race.tried().isEmpty())
            .collect(
                toMap(
                    race -> RacePlaces.of(race, identity),
                    PersistencyRace::level,
                    (strongest, other) -> strongest));
    Map<RacePlaces, List<HeldWriter>> ways = new LinkedHashMap<>(seen.holdChances());
    ways.keySet().retainAll(levels.keySet());
    ways.keySet().removeAll(asked);
    asked.addAll(ways.keySet());
    if (ways.isEmpty() || campaign.races().holds() == 0) {
      return races;
    }
    HoldSeries series = new HoldSeries(ways, levels, Math.max(0, campaign.races().holds() - done));
    workplace
        .phases()
        .begin(
            "holding the writers of %d %s, so that races happen"
                .formatted(series.size(), series.size() == 1 ? "store" : "stores"));
    long begin = System.nanoTime();
    long end = begin + time().minus(spent).toNanos();
    done += series.size();
    series.run(
        () -> limit(end),
        (writer, wanted, before, all) -> {
          Optional<Map<RacePlaces, HeldAttempt>> known =
              attempt(base, holding(order, writer), wanted, tree, results);
          workplace.phases().progress().step("writers held", before + 1L, all);
          return known;
        });
    spent = spent.plusNanos(System.nanoTime() - begin);
    Map<String, Long> left = new TreeMap<>(races.left());
    series.left().forEach((key, count) -> left.merge(key, count, Long::sum));
    return races.held(
        races.races().stream()
            .map(
                race ->
                    Optional.ofNullable(
                            series.attempts().get(RacePlaces.of(race.evidence(), identity)))
                        .filter(attempt -> race.evidence().tried().isEmpty())
                        .map(attempt -> united(race, attempt))
                        .orElse(race))
            .sorted(STRONGEST_FIRST)
            .toList(),
        left);
  }

  private Duration time() {
    Duration injection = scope.budget().elapsed();
    return campaign.races().holdTime().orElse(injection.compareTo(LEAST) < 0 ? LEAST : injection);
  }

  /** The key of the campaign that lets no more writers be held. */
  private Optional<String> limit(long end) {
    workplace.resources().checkInterrupted();
    if (!scope.budget().isLeft()) {
      return Optional.of(RaceLog.LIMITS);
    }
    return System.nanoTime() > end ? Optional.of("races.holdTime") : Optional.empty();
  }

  /** Nothing if there was no time for it. */
  private Optional<Map<RacePlaces, HeldAttempt>> attempt(
      Path base,
      ThreadSchedule order,
      Set<RacePlaces> wanted,
      FailurePointTree tree,
      ResultListener results) {
    HeldWriter writer = order.held().orElseThrow();
    Observation observation = Observation.ofRaces(campaign, wanted);
    Optional<Set<Occurrence>> failing;
    try {
      failing = runs.run(base, order, observation, tree, results);
    } catch (PowercutException e) {
      workplace
          .phases()
          .note(
              "with thread %d held behind its store %d: %s"
                  .formatted(writer.thread(), writer.store(), e.getMessage()));
      return Optional.of(
          wanted.stream().collect(toMap(place -> place, place -> HeldAttempt.failed(writer))));
    }
    if (failing.isEmpty()) {
      return Optional.empty();
    }
    FindingIdentity identity = observation.identity();
    List<RaceLog.Found> seen = observation.races().map(RaceLog::races).orElse(List.of());
    return Optional.of(
        wanted.stream()
            .collect(
                toMap(
                    place -> place,
                    place -> {
                      Optional<RaceLog.Found> race =
                          seen.stream()
                              .filter(one -> RacePlaces.of(one.evidence(), identity).equals(place))
                              .min(STRONGEST_FIRST);
                      Optional<Occurrence> harm =
                          observation.triedAt(place).stream()
                              .filter(failing.get()::contains)
                              .findFirst();
                      return HeldAttempt.of(
                          writer,
                          harm.isPresent() ? race.map(one -> triedAt(harm, one)) : race,
                          harm.isPresent());
                    })));
  }

  /** Of the crashes that were tried for a race, the one that shows harm counts. */
  private static RaceLog.Found triedAt(Optional<Occurrence> harm, RaceLog.Found race) {
    return new RaceLog.Found(race.fingerprint(), race.evidence().triedAt(harm));
  }

  /** Where the reader's load came first, the order cannot be that of the run. */
  private static ThreadSchedule holding(ThreadSchedule order, HeldWriter writer) {
    return (writer.reader().isEmpty()
            ? order
            : ThreadSchedule.of(ThreadSchedule.Policy.DEFAULT, 0, order.quantum()))
        .holding(writer);
  }

  /** The race as it happened, if it did so between the same places. */
  private static RaceLog.Found united(RaceLog.Found race, HeldAttempt attempt) {
    PersistencyRace known = race.evidence();
    PersistencyRace shown =
        attempt
            .seen()
            .filter(seen -> seen.fingerprint().equals(race.fingerprint()))
            .map(seen -> seen.evidence().in(known.runs(), known.searched()))
            .filter(seen -> PersistencyRace.STRONGEST_FIRST.compare(seen, known) < 0)
            .orElse(known);
    return new RaceLog.Found(
        race.fingerprint(),
        shown
            .triedAt(attempt.seen().flatMap(seen -> seen.evidence().tried()))
            .heldIn(attempt.order()));
  }
}
