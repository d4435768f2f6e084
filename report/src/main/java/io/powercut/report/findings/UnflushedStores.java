// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import io.powercut.tree.UserCode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one function stored to one cache line around a lost store, with nothing that persists in
 * between: one flush behind all of it is what is missing.
 *
 * @param places of all of it, the lost store among them
 * @param lost the place of the lost store
 */
record UnflushedStores(Set<CrashPlaces.Line> places, Optional<CrashPlaces.Line> lost) {
  private static final long LINE = 64;

  /** Of a crash state whose first lost store is not flushed. */
  static UnflushedStores of(Crash crash) {
    JudgedState state = crash.evidence().state().orElseThrow();
    JudgedState.Store first = state.lost().get(0);
    Optional<CrashPlaces.Line> lost = CrashPlaces.Line.of(first.store().stack());
    Set<CrashPlaces.Line> places = new HashSet<>();
    lost.ifPresent(places::add);
    crash.evidence().timeline().ifPresent(timeline -> add(timeline.steps(), first, places));
    return new UnflushedStores(places, lost);
  }

  /** Those of the run of stores that the lost one is in. */
  private static void add(
      List<Timeline.Event> steps, JudgedState.Store first, Set<CrashPlaces.Line> places) {
    Set<CrashPlaces.Line> together = new HashSet<>();
    boolean isWithLost = false;
    for (Timeline.Event step : steps) {
      if (step.kind() != Timeline.Action.STORE) {
        if (isWithLost) {
          break;
        }
        together.clear();
      } else if (isBeside(step, first)) {
        CrashPlaces.Line.of(step.stack()).ifPresent(together::add);
        isWithLost |= step.fate() == Timeline.Fate.LOST && isSame(step, first);
      }
    }
    if (isWithLost) {
      places.addAll(together);
    }
  }

  private static boolean isSame(Timeline.Event step, JudgedState.Store lost) {
    return step.offset() == lost.store().offset()
        && CrashPlaces.Line.of(step.stack()).equals(CrashPlaces.Line.of(lost.store().stack()));
  }

  private static boolean isBeside(Timeline.Event step, JudgedState.Store lost) {
    return step.file().equals(lost.store().file())
        && step.offset() / LINE == lost.store().offset() / LINE
        && function(step.stack()).equals(function(lost.store().stack()));
  }

  private static Optional<String> function(List<StackFrame> stack) {
    return UserCode.of(stack).map(frame -> frame.function() + " " + frame.module());
  }

  /** Whether the lost store of one is among what was stored around that of the other. */
  boolean isWith(UnflushedStores other) {
    return !lost.equals(other.lost)
        && (lost.filter(other.places::contains).isPresent()
            || other.lost.filter(places::contains).isPresent());
  }
}
