// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.races.found.Race;
import io.powercut.races.found.RaceExample;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Makes a race in a trace what reports show. */
public final class RaceReports {
  private RaceReports() {}

  /**
   * The race as evidence.
   *
   * @param tried where recovery was tried without the store first, if it was
   */
  public static PersistencyRace of(Race race, Optional<Occurrence> tried) {
    RaceExample example = race.example();
    return new PersistencyRace(
        level(race),
        end(race),
        step(example.storing(), TargetStack.of(race.store())),
        race.ended()
            .flatMap(stack -> example.ending().map(step -> step(step, TargetStack.of(stack)))),
        step(example.loading(), TargetStack.ofLoad(race.load())),
        example.file(),
        example.offset(),
        example.size(),
        example.value().stream().mapToObj(value -> "0x" + Long.toHexString(value)).findFirst(),
        race.observations(),
        race.overlapped(),
        1,
        1,
        tried,
        tried.map(first -> others(race, first)).orElse(List.of()),
        Optional.empty());
  }

  private static PersistencyRace.Level level(Race race) {
    return switch (race.evidence()) {
      case LOCKSET -> PersistencyRace.Level.LOCKSET;
      case REGION -> PersistencyRace.Level.REGION;
      case OBSERVED -> PersistencyRace.Level.OBSERVED;
      case CONSEQUENCE -> PersistencyRace.Level.CONSEQUENCE;
    };
  }

  /** What ended the time in which a crash takes the store away. */
  static PersistencyRace.End end(Race race) {
    return switch (race.end()) {
      case PERSISTED -> PersistencyRace.End.PERSISTED;
      case OVERWRITTEN -> PersistencyRace.End.OVERWRITTEN;
      case NEVER -> PersistencyRace.End.NEVER;
    };
  }

  private static List<Occurrence> others(Race race, Occurrence first) {
    return race.tried().stream()
        .map(place -> new Occurrence(place.id(), place.number(), first.order()))
        .filter(place -> !place.equals(first))
        .distinct()
        .toList();
  }

  private static PersistencyRace.Step step(RaceExample.Step step, List<StackFrame> stack) {
    return new PersistencyRace.Step(
        step.thread(), step.ordinal(), stack, step.held().stream().map(RaceReports::lock).toList());
  }

  private static PersistencyRace.Lock lock(RaceExample.LockHeld lock) {
    return new PersistencyRace.Lock(
        lock.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        "0x" + Long.toHexString(lock.object()),
        lock.isShared(),
        lock.acquired().map(TargetStack::of).orElse(List.of()));
  }
}
