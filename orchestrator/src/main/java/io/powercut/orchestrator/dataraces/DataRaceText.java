// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.orchestrator.dataraces.DataRace.Access;
import io.powercut.orchestrator.dataraces.DataRace.HeldLock;
import io.powercut.orchestrator.dataraces.DataRaceResult.Found;
import io.powercut.report.evidence.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code powercut races -- PROGRAM} prints. */
public final class DataRaceText {
  private final List<String> lines = new ArrayList<>();

  private DataRaceText() {}

  /** The number of races, then each of them, what is only suspected, and what limits the result. */
  public static List<String> of(DataRaceResult result) {
    DataRaceText text = new DataRaceText();
    text.lines.add("data races  %d in %s".formatted(result.found().size(), runs(result.runs())));
    result.found().forEach(found -> text.addRace(found, result.runs()));
    result.suspected().forEach(found -> text.addSuspicion(found, result.runs()));
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

  private void addRace(Found found, int runs) {
    DataRace race = found.race();
    addTitle("RACE", found, runs);
    addAccess("first", race.first());
    addAccess("second", race.second());
    if (!race.memory().isEmpty()) {
      lines.add(
          "  %-10s 0x%s (%s) at the second access"
              .formatted("memory", race.memory(), bytes(race.size())));
    }
    addThreads(race);
  }

  private void addSuspicion(Found found, int runs) {
    DataRace race = found.race();
    addTitle("UNCONFIRMED", found, runs);
    lines.add(
        "  %-10s thread %d, in a section that uses this to %s, %s"
            .formatted("holder", race.first().thread(), race.first().kind(), held(race.first())));
    race.first().stack().forEach(frame -> lines.add("    " + frame.text()));
    addAccess("access", race.second());
    addThreads(race);
  }

  private void addTitle(String label, Found found, int runs) {
    DataRace race = found.race();
    lines.add("");
    lines.add(
        "%-12s %s%s"
            .formatted(
                label,
                race.object().name(),
                runs == 1 ? "" : ", in %d of %s".formatted(found.runs(), runs(runs))));
    addStack("allocated", race.object().allocated());
  }

  private void addThreads(DataRace race) {
    addThread(race.first());
    if (race.second().thread() != race.first().thread()) {
      addThread(race.second());
    }
  }

  private static String bytes(int size) {
    return size == 1 ? "1 byte" : size + " bytes";
  }

  private void addAccess(String label, Access access) {
    lines.add(
        "  %-10s %s of %s by thread %d, %s"
            .formatted(label, access.kind(), bytes(access.size()), access.thread(), held(access)));
    access.stack().forEach(frame -> lines.add("    " + frame.text()));
    for (HeldLock lock : access.locks()) {
      if (!lock.taken().isEmpty()) {
        lines.add("  %-10s took %s".formatted("", lock.lock().name()));
        lock.taken().forEach(frame -> lines.add("    " + frame.text()));
      }
    }
  }

  private static String held(Access access) {
    return access.locks().isEmpty()
        ? "without a lock"
        : access.locks().stream()
            .map(lock -> lock.lock().name() + (lock.shared() ? " (shared)" : ""))
            .collect(Collectors.joining(" and ", "with ", ""));
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
