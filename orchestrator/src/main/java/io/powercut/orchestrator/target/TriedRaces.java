// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.races.RaceAnalysis;
import io.powercut.races.found.Race;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.RaceExample;
import io.powercut.races.found.RaceResult;
import io.powercut.races.found.WindowEnd;
import io.powercut.recorder.HeldWriter;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.CallStack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The races of a run, and where recovery is tried without the store that was read too early. */
final class TriedRaces {
  private final RaceAnalysis analysis;
  private final Optional<Set<RacePlaces>> wanted;
  private final Map<Stacks, List<Occurrence>> tried = new LinkedHashMap<>();

  private record Stacks(CallStack store, CallStack load) {
    RacePlaces places(FindingIdentity identity) {
      return RacePlaces.of(TargetStack.of(store), TargetStack.ofLoad(load), identity);
    }
  }

  /**
   * @param wanted the races that are to be tried; all if there is nothing
   */
  TriedRaces(RaceAnalysis analysis, Optional<Set<RacePlaces>> wanted) {
    this.analysis = analysis;
    this.wanted = wanted;
  }

  RaceAnalysis analysis() {
    return analysis;
  }

  /** The instructions whose stores a crash at this occurrence has to lose, if there are any. */
  Set<Integer> at(Occurrence occurrence, Supplier<FindingIdentity> identity) {
    List<RaceAnalysis.InFlight> races = analysis.takeInFlight();
    if (races.isEmpty()) {
      return Set.of();
    }
    Set<Integer> sites = new HashSet<>();
    for (RaceAnalysis.InFlight race : races) {
      Stacks stacks = new Stacks(race.store(), race.load());
      if (wanted.isEmpty() || wanted.get().contains(stacks.places(identity.get()))) {
        tried.computeIfAbsent(stacks, fresh -> new ArrayList<>()).add(occurrence);
        sites.add(race.site());
      }
    }
    return sites;
  }

  /**
   * For races that did not happen, or whose reader did nothing with what it read, which thread has
   * to be held behind which store so that it may. The strongest evidence comes first. Where there
   * are several ways to hold it behind one store, the next one is for a race that could not happen
   * in the one before. Other stores come last: for a race that did no harm so far. Only threads of
   * one process are known: another process does not wait while a thread is held.
   */
  Map<RacePlaces, List<HeldWriter>> chances(FindingIdentity identity) {
    Map<RacePlaces, List<HeldWriter>> chances = new LinkedHashMap<>();
    if (analysis.isThreaded()) {
      analysis.result().races().stream()
          .filter(race -> race.evidence().compareTo(RaceEvidence.CONSEQUENCE) < 0)
          .sorted(Comparator.comparing(Race::evidence).reversed())
          .forEach(
              race -> {
                List<HeldWriter> ways = ways(race);
                if (!ways.isEmpty()) {
                  chances.putIfAbsent(places(race, identity), ways);
                }
              });
    }
    return chances;
  }

  /** Where a crash was tried for a race, in the order of the trace. */
  List<Occurrence> triedAt(RacePlaces race, FindingIdentity identity) {
    return tried.entrySet().stream()
        .filter(entry -> entry.getKey().places(identity).equals(race))
        .flatMap(entry -> entry.getValue().stream())
        .distinct()
        .toList();
  }

  private static RacePlaces places(Race race, FindingIdentity identity) {
    return new Stacks(race.store(), race.load()).places(identity);
  }

  /**
   * A reader that comes first has to be put off. Another one may be past its choice when the store
   * is made: it waits for the writer's end, for example. Then it is put off, too.
   */
  private List<HeldWriter> ways(Race race) {
    List<HeldWriter> ways = new ArrayList<>();
    Stream.concat(Stream.of(race.example()), race.others().stream())
        .filter(one -> analysis.isOneProcess(one.storing().thread(), one.loading().thread()))
        .forEach(
            one -> {
              boolean isFirst = ways.isEmpty();
              ways.add(hold(race, one, readerBefore(one)));
              if (isFirst && readerBefore(one).isEmpty()) {
                ways.add(hold(race, one, Optional.of(one.loading().thread())));
              }
            });
    return ways;
  }

  /** The reader, if it loads before the store is made. */
  private static Optional<Integer> readerBefore(RaceExample example) {
    return example.loading().ordinal() < example.storing().ordinal()
        ? Optional.of(example.loading().thread())
        : Optional.empty();
  }

  private static HeldWriter hold(Race race, RaceExample example, Optional<Integer> reader) {
    int writer = example.storing().thread();
    HeldWriter hold = new HeldWriter(writer, example.number(), HeldWriter.USUAL_BLOCKS, reader);
    return example
        .ending()
        .map(RaceExample.Step::thread)
        .filter(thread -> race.end() == WindowEnd.PERSISTED)
        .filter(thread -> thread != writer && thread != example.loading().thread())
        .map(hold::persistedBy)
        .orElse(hold);
  }

  /** What was found; nothing if one thread alone used persistent memory. */
  Optional<RaceLog> log(FindingIdentity identity) {
    if (!analysis.isThreaded()) {
      return Optional.empty();
    }
    Map<RacePlaces, Occurrence> byPlace = new HashMap<>();
    tried.forEach((stacks, at) -> byPlace.putIfAbsent(stacks.places(identity), at.get(0)));
    RaceResult result = analysis.result();
    return Optional.of(
        RaceLog.of(
            result.isComplete(),
            ofWriters(result.races(), identity).stream()
                .map(race -> found(race, identity, byPlace))
                .toList()));
  }

  /**
   * The races with those that are one mistake as one. A writer that persists too late, or never,
   * does so whether others store over that before or not.
   */
  static List<Race> ofWriters(List<Race> races, FindingIdentity identity) {
    Set<RacePlaces> never =
        races.stream()
            .filter(race -> race.end() == WindowEnd.NEVER)
            .map(race -> places(race, identity))
            .collect(Collectors.toSet());
    Map<String, Race> byMistake = new LinkedHashMap<>();
    for (Race race : races) {
      Race.Own own = race.own();
      boolean isOne =
          own.stack().isPresent() || (own.isNever() && never.contains(places(race, identity)));
      Race shown = isOne ? race.asOfTheWriter() : race;
      byMistake.merge(fingerprint(shown, identity), shown, Race::with);
    }
    return List.copyOf(byMistake.values());
  }

  private static String fingerprint(Race race, FindingIdentity identity) {
    return identity.ofRace(
        TargetStack.of(race.store()),
        RaceReports.end(race),
        race.ended().map(TargetStack::of).orElse(List.of()),
        TargetStack.ofLoad(race.load()));
  }

  private static RaceLog.Found found(
      Race race, FindingIdentity identity, Map<RacePlaces, Occurrence> tried) {
    List<StackFrame> store = TargetStack.of(race.store());
    List<StackFrame> load = TargetStack.ofLoad(race.load());
    RacePlaces places = RacePlaces.of(store, load, identity);
    PersistencyRace evidence = RaceReports.of(race, Optional.ofNullable(tried.get(places)));
    return new RaceLog.Found(fingerprint(race, identity), evidence);
  }
}
