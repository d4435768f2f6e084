// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.DataRace.Access;
import io.powercut.report.evidence.DataRace.HeldLock;
import io.powercut.report.evidence.StackFrame;
import java.util.ArrayList;
import java.util.List;

/** What {@code powercut races -- PROGRAM} prints. */
public final class DataRaceText {
  private final List<String> lines = new ArrayList<>();

  private DataRaceText() {}

  /** The number of races, then each of them, what is only suspected, and what limits the result. */
  public static List<String> of(DataRaceResult result) {
    DataRaceText text = new DataRaceText();
    text.lines.add("data races  %d in %s".formatted(result.found().size(), runs(result.runs())));
    result.found().forEach(text::addRace);
    result.suspected().forEach(text::addSuspicion);
    result.limits().forEach(limit -> text.addParagraph("LIMIT        " + limit));
    result.failures().forEach(failure -> text.addParagraph("FAILED       " + failure));
    return text.lines;
  }

  private static String runs(int runs) {
    return runs == 1 ? "one run" : runs + " runs";
  }

  private void addParagraph(String text) {
    lines.add("");
    text.lines().forEach(lines::add);
  }

  private void addRace(DataRace race) {
    addTitle("RACE", race);
    addAccess("first", race.first());
    addAccess("second", race.second());
    race.memory()
        .ifPresent(
            value ->
                lines.add(
                    "  %-10s 0x%s (%s) at the second access"
                        .formatted("memory", value, DataRace.bytes(race.size()))));
    addThreads(race);
  }

  private void addSuspicion(DataRace race) {
    addTitle("UNCONFIRMED", race);
    if (!race.hasHolder()) {
      addAccess("first", race.first());
      addAccess("second", race.second());
      return;
    }
    lines.add(
        "  %-10s thread %d, in a section that uses this to %s, %s"
            .formatted(
                "holder", race.first().thread(), race.first().kind(), race.first().locksInWords()));
    race.first().stack().forEach(frame -> lines.add("    " + frame.text()));
    addAccess("access", race.second());
    addThreads(race);
  }

  private void addTitle(String label, DataRace race) {
    lines.add("");
    lines.add(
        "%-12s %s%s"
            .formatted(
                label,
                race.object().name(),
                race.searched() == 1
                    ? ""
                    : ", in %d of %s".formatted(race.runs(), runs(race.searched()))));
    addStack("allocated", race.object().allocated());
  }

  private void addAccess(String label, Access access) {
    lines.add("  %-10s %s".formatted(label, access.inWords()));
    access.stack().forEach(frame -> lines.add("    " + frame.text()));
    for (HeldLock lock : access.locks()) {
      if (!lock.taken().isEmpty()) {
        lines.add("  %-10s took %s".formatted("", lock.lock().name()));
        lock.taken().forEach(frame -> lines.add("    " + frame.text()));
      }
    }
  }

  private void addThreads(DataRace race) {
    addThread(race.first());
    if (race.second().thread() != race.first().thread()) {
      addThread(race.second());
    }
  }

  private void addThread(Access access) {
    addStack("thread " + access.thread() + " created", access.created());
  }

  private void addStack(String label, List<StackFrame> stack) {
    if (!stack.isEmpty()) {
      lines.add("  " + label);
      stack.forEach(frame -> lines.add("    " + frame.text()));
    }
  }
}
