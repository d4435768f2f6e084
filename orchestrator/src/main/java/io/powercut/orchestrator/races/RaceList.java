// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.report.RaceLines;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code powercut races} prints. */
public final class RaceList {
  private RaceList() {}

  /** How many there are of each kind of evidence, then each race, the strongest first. */
  public static List<String> of(RaceLog log) {
    List<String> lines = new ArrayList<>();
    lines.add("races  " + totals(log));
    if (!log.complete()) {
      lines.add("  not all of the trace could be kept, so there may be more");
    }
    RaceLog.notes(log.limits(), log.serial()).forEach(note -> lines.add("  " + note));
    for (FailedOrder order : log.failures()) {
      lines.add("");
      lines.add("FAILED       without a crash, " + order.orders());
      order.problem().lines().forEach(line -> lines.add("  " + line));
      lines.add("  repeat it with " + order.options());
    }
    for (RaceLog.Found race : log.races()) {
      PersistencyRace shown = race.evidence();
      lines.add("");
      lines.add("%-11s  %s".formatted(shown.level().name(), shown.seen()));
      lines.addAll(RaceLines.of(shown));
    }
    return lines;
  }

  private static String totals(RaceLog log) {
    return Arrays.stream(PersistencyRace.Level.values())
        .map(level -> count(log, level) + " " + level)
        .collect(Collectors.joining(", "));
  }

  private static long count(RaceLog log, PersistencyRace.Level level) {
    return log.races().stream().filter(race -> race.evidence().level() == level).count();
  }
}
