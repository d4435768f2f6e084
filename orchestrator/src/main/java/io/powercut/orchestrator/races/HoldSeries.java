// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.recorder.HeldWriter;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.RaceLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * In which order writers are held, one after the other, and what is left. Races of each kind of
 * evidence have their turn, the strongest first, so that many of one kind do not keep the others
 * from it. A race that could not happen has its next way tried behind all first ones.
 */
final class HoldSeries {
  /** Counts stores in {@link RaceLog#left}. */
  private static final String MOST = "races.holds";

  private final Map<RacePlaces, List<HeldWriter>> ways;
  private final Map<RacePlaces, String> levels;
  private final int most;
  private final Map<RacePlaces, HeldAttempt> attempts = new HashMap<>();
  private final Map<String, Long> left = new TreeMap<>();

  /** Runs the target. */
  interface Holding {
    /**
     * Holds a writer.
     *
     * @param races those of its store
     * @param done how many holds there were before
     * @param all how many there are in all, as far as that is known
     * @return what is known of each of them then; nothing if the budget did not last
     */
    Optional<Map<RacePlaces, HeldAttempt>> hold(
        HeldWriter writer, Set<RacePlaces> races, int done, int all);
  }

  /**
   * @param ways of each race, how its writer may be held: first, and if it could not happen so
   * @param levels what is known of each of them, one of {@link PersistencyRace#LEVELS}
   * @param most at how many stores a writer is held
   */
  HoldSeries(Map<RacePlaces, List<HeldWriter>> ways, Map<RacePlaces, String> levels, int most) {
    this.ways = ways;
    this.levels = levels;
    this.most = most;
  }

  /** At how many stores a writer is going to be held. */
  int size() {
    return Math.min(most, firstWays().size());
  }

  /** What is known of the races whose writer was held. */
  Map<RacePlaces, HeldAttempt> attempts() {
    return attempts;
  }

  /** How many holds were not tried, by the key of the campaign that limited them. */
  Map<String, Long> left() {
    return left;
  }

  /**
   * Holds writers.
   *
   * @param end asked before each: the key that ends it, if one does
   */
  void run(Supplier<Optional<String>> end, Holding holding) {
    List<HeldWriter> first = alternating(firstWays());
    int count = size();
    if (count < first.size()) {
      left.put(MOST, (long) first.size() - count);
    }
    run(first.subList(0, count), 0, end, holding);
    run(alternating(nextWays()), count, end, holding);
  }

  private void run(
      List<HeldWriter> writers, int before, Supplier<Optional<String>> end, Holding holding) {
    int all = before + writers.size();
    for (int i = 0; i < writers.size(); i++) {
      HeldWriter writer = writers.get(i);
      Optional<String> limit = end.get();
      if (limit.isEmpty()) {
        Optional<Map<RacePlaces, HeldAttempt>> known =
            holding.hold(writer, racesOf(writer), before + i, all);
        known.ifPresent(
            found ->
                found.forEach(
                    (race, attempt) -> attempts.merge(race, attempt, HeldAttempt::orBetter)));
        limit = known.isPresent() ? Optional.empty() : Optional.of(RaceLog.LIMITS);
      }
      if (limit.isPresent()) {
        left.merge(limit.get(), (long) writers.size() - i, Long::sum);
        return;
      }
    }
  }

  /** All races of one store are tried at once. */
  private Set<RacePlaces> racesOf(HeldWriter writer) {
    Set<RacePlaces> races = new LinkedHashSet<>();
    ways.forEach(
        (race, ofIt) -> {
          if (ofIt.contains(writer) && isOpen(race, ofIt.indexOf(writer))) {
            races.add(race);
          }
        });
    return races;
  }

  private boolean isOpen(RacePlaces race, int way) {
    HeldAttempt known = attempts.get(race);
    return way == 0 ? known == null : known != null && known.isImpossible();
  }

  private Map<HeldWriter, Integer> firstWays() {
    return waysToTry(0);
  }

  private Map<HeldWriter, Integer> nextWays() {
    return waysToTry(1);
  }

  /** The writers to be held, with the place of their strongest race among the levels. */
  private Map<HeldWriter, Integer> waysToTry(int way) {
    Map<HeldWriter, Integer> writers = new LinkedHashMap<>();
    ways.forEach(
        (race, ofIt) -> {
          if (way < ofIt.size() && isOpen(race, way)) {
            writers.merge(
                ofIt.get(way), PersistencyRace.LEVELS.indexOf(levels.get(race)), Math::min);
          }
        });
    return writers;
  }

  private static List<HeldWriter> alternating(Map<HeldWriter, Integer> writers) {
    Map<Integer, Deque<HeldWriter>> byLevel = new TreeMap<>();
    writers.forEach(
        (writer, level) ->
            byLevel.computeIfAbsent(level, unknown -> new ArrayDeque<>()).add(writer));
    List<HeldWriter> order = new ArrayList<>();
    Collection<Deque<HeldWriter>> queues = byLevel.values();
    while (order.size() < writers.size()) {
      queues.forEach(queue -> Optional.ofNullable(queue.poll()).ifPresent(order::add));
    }
    return order;
  }
}
