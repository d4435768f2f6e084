// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.rundir.RaceLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one run after the other finds, and for how many of them it was nothing new. */
final class RaceSeries {
  private final Optional<Integer> wanted;
  private final List<RaceLog> logs = new ArrayList<>();

  /** By fingerprint, the strongest evidence as its place among {@link PersistencyRace#LEVELS}. */
  private final Map<String, Integer> strongest = new HashMap<>();

  private int quiet;

  /**
   * @param known what was found before
   * @param wanted after how many runs without anything new it is quiet; never if nothing
   */
  RaceSeries(List<RaceLog> known, Optional<Integer> wanted) {
    this.wanted = wanted;
    known.forEach(this::add);
    quiet = 0;
  }

  /** A run is over. A race that is known is new with stronger evidence. */
  void add(RaceLog log) {
    logs.add(log);
    boolean isNew = false;
    for (RaceLog.Found race : log.races()) {
      int level = PersistencyRace.LEVELS.indexOf(race.evidence().level());
      Integer before = strongest.get(race.fingerprint());
      if (before == null || level < before) {
        strongest.put(race.fingerprint(), level);
        isNew = true;
      }
    }
    quiet = isNew ? 0 : quiet + 1;
  }

  /** Whether enough runs in a row added nothing. */
  boolean isQuiet() {
    return wanted.map(many -> quiet >= many).orElse(false);
  }

  /** All of it; nothing if there was no run. */
  Optional<RaceLog> united() {
    return logs.isEmpty() ? Optional.empty() : Optional.of(RaceLog.united(logs));
  }
}
