// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.Timeline;
import io.powercut.tree.UserCode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A lost store that nothing flushes, and what the same function stored to its cache line behind it,
 * before anything persists or is there too early: one flush behind these persists the lost store in
 * time.
 *
 * @param lost the place of the lost store
 * @param behind the places of the others
 */
record UnflushedStores(Optional<CrashPlaces.Line> lost, Set<CrashPlaces.Line> behind) {
  private static final long LINE = 64;

  /** Copies the set. */
  UnflushedStores {
    behind = Set.copyOf(behind);
  }

  /** Of a crash state whose first lost store is not flushed. */
  static UnflushedStores of(Crash crash) {
    JudgedState.Store first = crash.evidence().state().orElseThrow().lost().get(0);
    return new UnflushedStores(
        CrashPlaces.Line.of(first.store().stack()),
        crash.evidence().timeline().map(all -> behind(all, first)).orElse(Set.of()));
  }

  private static Set<CrashPlaces.Line> behind(Timeline timeline, JudgedState.Store first) {
    Set<CrashPlaces.Line> behind = new HashSet<>(behind(timeline.steps(), first));
    timeline.behind().stream()
        .filter(stack -> OneCall.made(first.store().stack(), stack))
        .flatMap(stack -> CrashPlaces.Line.of(stack).stream())
        .forEach(behind::add);
    return behind;
  }

  private static Set<CrashPlaces.Line> behind(List<Timeline.Event> steps, JudgedState.Store first) {
    return steps.stream()
        .filter(step -> step.kind() == Timeline.Action.STORE)
        .filter(step -> step.fate() == Timeline.Fate.LOST && isSame(step, first))
        .findFirst()
        .map(lost -> behind(steps, lost))
        .orElse(Set.of());
  }

  /** A store across two lines is in both. */
  private static Set<CrashPlaces.Line> behind(List<Timeline.Event> steps, Timeline.Event lost) {
    List<Timeline.Event> parts =
        steps.stream().filter(step -> step.ordinal() == lost.ordinal()).toList();
    Set<CrashPlaces.Line> behind = new HashSet<>();
    for (Timeline.Event step : steps.subList(steps.indexOf(lost) + 1, steps.size())) {
      if (step.kind() != Timeline.Action.STORE || step.fate() == Timeline.Fate.EARLY) {
        break;
      }
      if (parts.stream().anyMatch(part -> isBeside(step, part))) {
        CrashPlaces.Line.of(step.stack()).ifPresent(behind::add);
      }
    }
    return behind;
  }

  private static boolean isBeside(Timeline.Event step, Timeline.Event lost) {
    return step.file().equals(lost.file())
        && step.offset() / LINE == lost.offset() / LINE
        && function(step.stack()).equals(function(lost.stack()));
  }

  /**
   * The places of what one function stored to one cache line around a lost store, with nothing that
   * persists in between, and of the lost store.
   */
  static Set<CrashPlaces.Line> around(Crash crash) {
    JudgedState.Store first = crash.evidence().state().orElseThrow().lost().get(0);
    Set<CrashPlaces.Line> places = new HashSet<>();
    CrashPlaces.Line.of(first.store().stack()).ifPresent(places::add);
    crash
        .evidence()
        .timeline()
        .ifPresent(timeline -> places.addAll(around(timeline.steps(), first)));
    return places;
  }

  private static Set<CrashPlaces.Line> around(List<Timeline.Event> steps, JudgedState.Store first) {
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
    return isWithLost ? together : Set.of();
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
}
