// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one run after the other finds, and for how many of them it was nothing new. */
public final class RaceSeries {
  private final Optional<Integer> wanted;
  private final Map<Integer, RaceLog> logs = new LinkedHashMap<>();

  /** By problem, the first order that showed it. */
  private final Map<String, FailedOrder> failures = new LinkedHashMap<>();

  /** The strongest evidence by fingerprint. */
  private final Map<String, PersistencyRace.Level> strongest = new HashMap<>();

  private int quiet;

  /**
   * @param wanted after how many runs without anything new it is quiet; never if nothing
   */
  RaceSeries(Optional<Integer> wanted) {
    this.wanted = wanted;
  }

  /**
   * A run is over. A race that is known is new with stronger evidence.
   *
   * @param number of the order of threads; a run in an order that is known replaces the other
   */
  public void add(int number, RaceLog log) {
    logs.put(number, log);
    boolean isNew = false;
    for (RaceLog.Found race : log.races()) {
      PersistencyRace.Level level = levelOf(race);
      PersistencyRace.Level before = strongest.get(race.fingerprint());
      if (before == null || level.compareTo(before) < 0) {
        strongest.put(race.fingerprint(), level);
        isNew = true;
      }
    }
    quiet = isNew ? 0 : quiet + 1;
  }

  private static PersistencyRace.Level levelOf(RaceLog.Found race) {
    return race.evidence().level();
  }

  /** The target failed in an order, which says nothing of its races. */
  void fail(FailedOrder order) {
    failures.merge(order.problem(), order, (first, another) -> first.again());
  }

  /** Whether threads used persistent memory one after the other in all runs. */
  boolean isSerial() {
    return united().filter(RaceLog::serial).isPresent();
  }

  /** Whether enough runs in a row added nothing. */
  boolean isQuiet() {
    return wanted.map(many -> quiet >= many).orElse(false);
  }

  /**
   * The order in which most races happened: those with a consequence count first. 0, the campaign's
   * own, if none did in any.
   */
  public int best() {
    int best = 0;
    long most = 0;
    for (Map.Entry<Integer, RaceLog> run : logs.entrySet()) {
      long count = 0;
      for (RaceLog.Found race : run.getValue().races()) {
        count +=
            switch (levelOf(race)) {
              case CONSEQUENCE -> 1 << 20;
              case OBSERVED -> 1;
              case REGION, LOCKSET -> 0;
            };
      }
      if (count > most) {
        most = count;
        best = run.getKey();
      }
    }
    return best;
  }

  /** All of it but one run, which is to be added elsewhere; nothing if there was no other. */
  public Optional<RaceLog> without(int number) {
    Map<Integer, RaceLog> others = new LinkedHashMap<>(logs);
    others.remove(number);
    return others.isEmpty() && failures.isEmpty()
        ? Optional.empty()
        : Optional.of(
            RaceLog.united(List.copyOf(others.values())).failedIn(List.copyOf(failures.values())));
  }

  /** All of it; nothing if there was no run. */
  public Optional<RaceLog> united() {
    return logs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            RaceLog.united(List.copyOf(logs.values())).failedIn(List.copyOf(failures.values())));
  }
}
