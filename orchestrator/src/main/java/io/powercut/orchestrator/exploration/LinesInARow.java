// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.timeline.Happening;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.report.evidence.Timeline;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The cache lines next to one another that a thread stored to between two of its fences, and did
 * not flush: an object of several lines, which one flush persists.
 */
final class LinesInARow {
  private LinesInARow() {}

  /**
   * What the thread of a lost store stored after it to the lines in a row with it, until its next
   * fence.
   *
   * @param lost a store that is not flushed
   * @param end the ordinal of a later store before which it has to be persisted, if there is one
   * @param recent what happened last, the lost store among it, the oldest first
   */
  static List<Happening> storedBehind(Happening lost, OptionalLong end, List<Happening> recent) {
    List<Happening> own =
        recent.stream()
            .filter(one -> one.thread() == lost.thread())
            .filter(one -> end.isEmpty() || one.ordinal() < end.getAsLong())
            .toList();
    int at = own.indexOf(lost);
    int from = at;
    while (from > 0 && !isFence(own.get(from - 1))) {
      from--;
    }
    int to = at + 1;
    while (to < own.size() && !isFence(own.get(to))) {
      to++;
    }
    Set<Long> run = run(lineOf(lost.location()), lines(own.subList(from, to)));
    return own.subList(at + 1, to).stream()
        .filter(one -> one.kind() == Timeline.Action.STORE)
        .filter(one -> run.contains(lineOf(one.location())))
        .toList();
  }

  private static boolean isFence(Happening one) {
    return one.kind() == Timeline.Action.FENCE || one.kind() == Timeline.Action.SYNC;
  }

  /** What was stored to, and not flushed. */
  private static Set<Long> lines(List<Happening> part) {
    Set<Long> lines = new HashSet<>();
    for (Happening one : part) {
      if (one.kind() == Timeline.Action.STORE) {
        long last = one.location() + one.size() - 1;
        for (long line = lineOf(one.location()); line <= last; line += LineWords.LINE) {
          lines.add(line);
        }
      }
    }
    part.stream()
        .filter(one -> one.kind() == Timeline.Action.FLUSH)
        .forEach(one -> lines.remove(lineOf(one.location())));
    return lines;
  }

  private static Set<Long> run(long line, Set<Long> lines) {
    Set<Long> run = new HashSet<>();
    for (long next = line; lines.contains(next) || next == line; next += LineWords.LINE) {
      run.add(next);
    }
    for (long next = line; lines.contains(next) || next == line; next -= LineWords.LINE) {
      run.add(next);
    }
    return run;
  }

  private static long lineOf(long location) {
    return location - location % LineWords.LINE;
  }
}
