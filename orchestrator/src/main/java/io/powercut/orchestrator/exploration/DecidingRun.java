// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static java.util.Objects.requireNonNull;

import io.powercut.oracle.reads.Conditions;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.LineRead;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A run of recovery, and what it depended on.
 *
 * @param state on which it ran
 * @param reads by the locations of lines in flight: bytes that all states have in common that it
 *     decides
 * @param conditions that hold in them
 * @param needed by the locations of lines, the bytes that conditions depend on
 * @param names of these lines
 */
record DecidingRun(
    CrashState state,
    Map<Long, LineRead> reads,
    Conditions conditions,
    Map<Long, Long> needed,
    Map<ImageLine, Long> names) {

  /**
   * @param lines in flight
   */
  static DecidingRun of(CrashState state, CompleteSearch.Reads all, List<InFlightLine> lines) {
    Map<Long, LineRead> reads = new HashMap<>();
    Map<Long, Long> needed = new HashMap<>();
    Map<ImageLine, Long> names = new HashMap<>();
    Map<ImageLine, Long> bytes = all.conditions().bytes();
    for (InFlightLine line : lines) {
      LineRead read = all.of(line.location());
      reads.put(line.location(), new LineRead(read.bytes() & line.open(), read.turn()));
      if (!bytes.isEmpty()) {
        ImageLine name = all.line(line.location());
        names.put(name, line.location());
        needed.put(line.location(), bytes.getOrDefault(name, 0L) & line.open());
      }
    }
    return new DecidingRun(state, reads, all.conditions(), needed, names);
  }

  /** The bytes of a line in flight that count as read. */
  long read(InFlightLine line) {
    return reads.getOrDefault(line.location(), LineRead.NONE).bytes();
  }

  /** The bytes of a line in flight on which it depends in some way. */
  long relevant(InFlightLine line) {
    return read(line) | needed.getOrDefault(line.location(), 0L);
  }

  /** When a line was loaded from first. */
  long turn(InFlightLine line) {
    return reads.getOrDefault(line.location(), LineRead.NONE).turn();
  }

  /** What lines hold that are not as in program order, by location. */
  Map<Long, LineDifference> differences() {
    return differences(state);
  }

  private static Map<Long, LineDifference> differences(CrashState state) {
    return state.differences().stream()
        .collect(Collectors.toMap(LineDifference::location, Function.identity()));
  }

  /** Whether recovery does the same on another state. */
  boolean decides(CrashState other) {
    Map<Long, LineDifference> mine = differences();
    Map<Long, LineDifference> theirs = differences(other);
    for (LineDifference one : theirs.values()) {
      LineDifference there = mine.getOrDefault(one.location(), one.line().programOrder());
      if (!one.isAlike(there.words(), read(one.line()))) {
        return false;
      }
    }
    for (LineDifference one : mine.values()) {
      if (!theirs.containsKey(one.location())
          && !one.isAlike(one.line().programOrder().words(), read(one.line()))) {
        return false;
      }
    }
    return hold(mine, theirs);
  }

  private boolean hold(Map<Long, LineDifference> mine, Map<Long, LineDifference> theirs) {
    Map<ImageLine, Integer> places = new HashMap<>();
    List<LineDifference> contents = new ArrayList<>();
    names.forEach(
        (name, location) -> {
          LineDifference here = mine.get(location);
          LineDifference there = theirs.get(location);
          boolean isOther = here != null || there != null;
          if (isOther && needed.getOrDefault(location, 0L) != 0) {
            places.put(name, contents.size());
            contents.add(there == null ? requireNonNull(here).line().programOrder() : there);
          }
        });
    Conditions.Evaluation evaluation =
        conditions.evaluation(line -> places.getOrDefault(line, -1), contents.size());
    for (int place = 0; place < contents.size(); place++) {
      if (!evaluation.put(place, contents.get(place).words())) {
        return false;
      }
    }
    return true;
  }
}
