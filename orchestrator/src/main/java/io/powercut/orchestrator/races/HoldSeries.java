// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.Ordering;
import com.google.common.collect.SetMultimap;
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
 * from it. A race that could not happen has its next way tried behind all first ones. A race that
 * did no harm is tried at other stores behind all of these, as long as there are holds and time.
 */
final class HoldSeries {
  /** Counts stores in {@link RaceLog#left}. */
  private static final String MOST = "races.holds";

  private final Map<RacePlaces, List<HeldWriter>> ways;
  private final Map<RacePlaces, PersistencyRace.Level> levels;
  private final int most;
  private final Map<RacePlaces, HeldAttempt> attempts = new HashMap<>();
  private final SetMultimap<RacePlaces, HeldWriter> tried = HashMultimap.create();
  private final Map<String, Long> left = new TreeMap<>();
  private int done;

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
   * @param ways of each race, how its writer may be held: first; if it could not happen so; and
   *     behind other stores
   * @param levels what is known of each of them
   * @param most at how many stores a writer is held; other stores of a race count, too
   */
  HoldSeries(
      Map<RacePlaces, List<HeldWriter>> ways,
      Map<RacePlaces, PersistencyRace.Level> levels,
      int most) {
    this.ways = ways;
    this.levels = levels;
    this.most = most;
  }

  /** At how many stores a writer is going to be held. */
  int size() {
    return Math.min(most, waysToTry(0, true).size());
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
    List<HeldWriter> first = alternating(waysToTry(0, true));
    int count = size();
    if (count < first.size()) {
      left.put(MOST, (long) first.size() - count);
    }
    run(first.subList(0, count), end, holding).ifPresent(this::leave);
    for (int way = 1; way < mostWays(); way++) {
      run(alternating(waysToTry(way, true)), end, holding).ifPresent(this::leave);
    }
    for (int way = 1; way < mostWays() && count < most; way++) {
      List<HeldWriter> others = alternating(waysToTry(way, false));
      List<HeldWriter> some = others.subList(0, Math.min(most - count, others.size()));
      count += some.size();
      run(some, end, holding); // What is left was tried at a store before.
    }
  }

  private void leave(Left some) {
    left.merge(some.limit(), some.holds(), Long::sum);
  }

  private int mostWays() {
    return ways.values().stream().mapToInt(List::size).max().orElse(0);
  }

  /**
   * Some that were not held.
   *
   * @param limit the key of the campaign that ended it
   */
  private record Left(String limit, long holds) {}

  private Optional<Left> run(
      List<HeldWriter> writers, Supplier<Optional<String>> end, Holding holding) {
    int all = done + writers.size();
    for (int i = 0; i < writers.size(); i++) {
      HeldWriter writer = writers.get(i);
      Optional<String> limit = end.get();
      if (limit.isEmpty()) {
        Set<RacePlaces> races = racesOf(writer);
        Optional<Map<RacePlaces, HeldAttempt>> known = holding.hold(writer, races, done, all);
        known.ifPresent(found -> add(writer, found));
        limit = known.isPresent() ? Optional.empty() : Optional.of(RaceLog.LIMITS);
      }
      if (limit.isPresent()) {
        return Optional.of(new Left(limit.get(), (long) writers.size() - i));
      }
    }
    return Optional.empty();
  }

  private void add(HeldWriter writer, Map<RacePlaces, HeldAttempt> known) {
    done++;
    known.forEach(
        (race, attempt) -> {
          tried.put(race, writer);
          attempts.merge(race, attempt, HeldAttempt::orBetter);
        });
  }

  /** All races of one store are tried at once. */
  private Set<RacePlaces> racesOf(HeldWriter writer) {
    Set<RacePlaces> races = new LinkedHashSet<>();
    ways.forEach(
        (race, ofIt) -> {
          if (ofIt.contains(writer) && isOpen(race, writer)) {
            races.add(race);
          }
        });
    return races;
  }

  private boolean isOpen(RacePlaces race, HeldWriter writer) {
    HeldAttempt known = attempts.get(race);
    HeldWriter first = requireNonNull(ways.get(race)).get(0);
    if (known == null || tried.containsEntry(race, writer)) {
      return known == null && writer.equals(first);
    }
    return isOfOneStore(writer, first) ? known.isImpossible() : known.isOpen();
  }

  private static boolean isOfOneStore(HeldWriter one, HeldWriter other) {
    return one.thread() == other.thread() && one.store() == other.store();
  }

  /**
   * The writers to be held, with the level of their strongest race.
   *
   * @param atFirst whether at the first store of their races
   */
  private Map<HeldWriter, PersistencyRace.Level> waysToTry(int way, boolean atFirst) {
    Map<HeldWriter, PersistencyRace.Level> writers = new LinkedHashMap<>();
    ways.forEach(
        (race, ofIt) -> {
          if (way < ofIt.size()
              && isOfOneStore(ofIt.get(way), ofIt.get(0)) == atFirst
              && isOpen(race, ofIt.get(way))) {
            writers.merge(
                ofIt.get(way),
                requireNonNull(levels.get(race), "a race of which nothing is known"),
                (one, other) -> Ordering.natural().min(one, other));
          }
        });
    return writers;
  }

  private static List<HeldWriter> alternating(Map<HeldWriter, PersistencyRace.Level> writers) {
    Map<PersistencyRace.Level, Deque<HeldWriter>> byLevel = new TreeMap<>();
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
