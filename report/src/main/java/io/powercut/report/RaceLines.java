// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.evidence.PersistencyRace;
import java.util.ArrayList;
import java.util.List;

/** A race in words, for people. */
public final class RaceLines {
  private RaceLines() {}

  /**
   * What happened, in the order store, persist, load; the bytes that it is about, how it was
   * brought about if it was, and what to do.
   */
  public static List<String> of(PersistencyRace race) {
    List<String> lines = new ArrayList<>();
    lines.add(labelled("stored:", race.store().inWords()));
    lines.add(
        race.persist()
            .map(step -> labelled(race.end() + ":", step.inWords()))
            .orElse(race.end().equals("never") ? "  never persisted" : "  " + race.end()));
    lines.add(labelled("loaded:", race.load().inWords()));
    lines.add("  " + race.bytesInWords());
    race.held().ifPresent(order -> lines.add(labelled("held:", order.inWords())));
    race.remedy().ifPresent(remedy -> lines.add(labelled("remedy:", remedy)));
    return lines;
  }

  private static String labelled(String label, String text) {
    return "  %-12s %s".formatted(label, text);
  }
}
