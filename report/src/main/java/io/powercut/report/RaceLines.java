// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.evidence.PersistencyRace;
import java.util.List;

/** A race in words, for people. */
public final class RaceLines {
  private RaceLines() {}

  /** What happened, in the order store, persist, load; and the bytes that it is about. */
  public static List<String> of(PersistencyRace race) {
    return List.of(
        labelled("stored:", race.store().inWords()),
        race.persist()
            .map(step -> labelled(race.end() + ":", step.inWords()))
            .orElse(race.end().equals("never") ? "  never persisted" : "  " + race.end()),
        labelled("loaded:", race.load().inWords()),
        "  " + race.bytesInWords());
  }

  private static String labelled(String label, String text) {
    return "  %-12s %s".formatted(label, text);
  }
}
