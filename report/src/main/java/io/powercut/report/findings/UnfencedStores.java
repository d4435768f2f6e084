// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Timeline;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What was stored from a lost store up to the one that persisted before it.
 *
 * @param lost the place of the lost store
 * @param stored the places of all of them; nothing if that is not known
 */
record UnfencedStores(Optional<CrashPlaces.Line> lost, Optional<Set<CrashPlaces.Line>> stored) {
  static UnfencedStores of(Crash crash) {
    JudgedState state = crash.evidence().state().orElseThrow();
    return new UnfencedStores(
        CrashPlaces.Line.of(state.lost().get(0).store().stack()),
        crash.evidence().timeline().map(UnfencedStores::stored));
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

  boolean isWith(UnfencedStores other) {
    return lost.equals(other.lost) || has(other) || other.has(this);
  }

  private boolean has(UnfencedStores other) {
    return stored.isEmpty() || other.lost.isEmpty() || stored.get().contains(other.lost.get());
  }
}
