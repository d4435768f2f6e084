// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Timeline;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What was stored from a lost store up to the one that persisted before it.
 *
 * @param lost the place of the lost store
 * @param stored the places of those that are shown; nothing if they are not known
 * @param persisted what persisted before it, which other crashes may have in common
 */
record UnfencedStores(
    Optional<CrashPlaces.Line> lost,
    Optional<Set<CrashPlaces.Line>> stored,
    Set<Persisted> persisted) {
  /**
   * A store that persisted too early.
   *
   * @param order of the threads, in which it was made
   * @param ordinal its place in the trace of that
   */
  record Persisted(int order, long ordinal) {}

  static UnfencedStores of(Crash crash) {
    JudgedState state = crash.evidence().state().orElseThrow();
    int order = crash.evidence().order();
    return new UnfencedStores(
        CrashPlaces.Line.of(state.lost().get(0).store().stack()),
        crash.evidence().timeline().map(UnfencedStores::stored),
        crash.evidence().timeline().stream()
            .flatMap(timeline -> timeline.steps().stream())
            .filter(step -> step.fate() == Timeline.Fate.EARLY)
            .map(step -> new Persisted(order, step.ordinal()))
            .collect(Collectors.toSet()));
  }

  private static Set<CrashPlaces.Line> stored(Timeline timeline) {
    long first = Long.MAX_VALUE;
    long last = -1;
    for (Timeline.Event step : timeline.steps()) {
      if (step.fate() == Timeline.Fate.LOST) {
        first = Math.min(first, step.ordinal());
      } else if (step.fate() == Timeline.Fate.EARLY) {
        last = Math.max(last, step.ordinal());
      }
    }
    Set<CrashPlaces.Line> lines = new HashSet<>();
    for (Timeline.Event step : timeline.steps()) {
      if (step.kind() == Timeline.Action.STORE
          && first <= step.ordinal()
          && step.ordinal() <= last) {
        CrashPlaces.Line.of(step.stack()).ifPresent(lines::add);
      }
    }
    return lines;
  }

  /**
   * Whether one fence would persist both lost stores. It would if the very same store persisted
   * before both: a drawing of one need not show the other.
   */
  boolean isWith(UnfencedStores other) {
    return lost.equals(other.lost)
        || has(other)
        || other.has(this)
        || !Collections.disjoint(persisted, other.persisted);
  }

  /** Whether the other lost store was made up to what persisted too early here. */
  boolean has(UnfencedStores other) {
    return stored.isEmpty() || other.lost.isEmpty() || stored.get().contains(other.lost.get());
  }

  /** Whether the other lost store is known to be made later, but up to what persisted too early. */
  boolean isBefore(UnfencedStores other) {
    return stored.isPresent()
        && other.lost.isPresent()
        && !lost.equals(other.lost)
        && has(other)
        && !(other.stored.isPresent() && lost.isPresent() && other.has(this));
  }
}
