// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.orchestrator.target.RaceReports;
import io.powercut.races.Race;
import io.powercut.races.RaceEvidence;
import io.powercut.races.RaceResult;
import io.powercut.report.RaceLines;
import io.powercut.report.evidence.PersistencyRace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What {@code powercut races} prints. */
public final class RaceList {
  private RaceList() {}

  /** How many there are of each kind of evidence, then each race, the strongest first. */
  public static List<String> of(RaceResult result) {
    List<String> lines = new ArrayList<>();
    lines.add("races  " + totals(result.races()));
    if (!result.isComplete()) {
      lines.add("  not all of the trace could be kept, so there may be more");
    }
    for (Race race : result.races()) {
      PersistencyRace shown = RaceReports.of(race, Optional.empty());
      lines.add("");
      lines.add("%-11s  %s".formatted(shown.level().toUpperCase(Locale.ROOT), shown.seen()));
      lines.addAll(RaceLines.of(shown));
    }
    return lines;
  }

  private static String totals(List<Race> races) {
    return Arrays.stream(RaceEvidence.values())
        .sorted((one, other) -> other.compareTo(one))
        .map(
            evidence ->
                races.stream().filter(race -> race.evidence() == evidence).count()
                    + " "
                    + evidence.label())
        .collect(Collectors.joining(", "));
  }
}
