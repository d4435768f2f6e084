// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.List;

/** Races in words, for people. */
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
            .orElse(
                race.end() == PersistencyRace.End.NEVER ? "  never persisted" : "  " + race.end()));
    lines.add(labelled("loaded:", race.load().inWords()));
    lines.add("  " + race.bytesInWords());
    race.held().ifPresent(order -> lines.add(labelled("held:", order.inWords())));
    race.remedy().ifPresent(remedy -> lines.add(labelled("remedy:", remedy)));
    return lines;
  }

  /** The object, both accesses, and where the threads were created. */
  public static List<String> of(DataRace race) {
    List<String> lines = new ArrayList<>();
    lines.add(labelled("object:", race.objectInWords()));
    if (!race.object().allocated().isEmpty()) {
      lines.add(labelled("allocated:", place(race.object().allocated())));
    }
    addAccess(race.hasHolder() ? "holder:" : "first:", race.first(), lines);
    addAccess(race.hasHolder() ? "access:" : "second:", race.second(), lines);
    return lines;
  }

  private static void addAccess(String label, DataRace.Access access, List<String> lines) {
    lines.add(
        labelled(
            label,
            "%s in %s%s"
                .formatted(
                    access.inWords(),
                    place(access.stack()),
                    access.created().isEmpty()
                        ? ""
                        : ", thread created in " + place(access.created()))));
  }

  private static String place(List<StackFrame> stack) {
    return UserCode.of(stack).map(StackFrame::text).orElse("unknown code");
  }

  private static String labelled(String label, String text) {
    return "  %-12s %s".formatted(label, text);
  }
}
