// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.races.Race;
import io.powercut.races.RaceAnalysis;
import io.powercut.races.RaceResult;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.CallStack;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The races of a run, and where recovery is tried without the store that was read too early. */
final class TriedRaces {
  private final RaceAnalysis analysis;
  private final Map<Stacks, Occurrence> tried = new HashMap<>();

  private record Stacks(CallStack store, CallStack load) {}

  private record Places(String store, String load) {}

  TriedRaces(RaceAnalysis analysis) {
    this.analysis = analysis;
  }

  RaceAnalysis analysis() {
    return analysis;
  }

  /** The instructions whose stores a crash at this occurrence has to lose, if there are any. */
  Set<Integer> at(Occurrence occurrence) {
    List<RaceAnalysis.InFlight> races = analysis.takeInFlight();
    if (races.isEmpty()) {
      return Set.of();
    }
    Set<Integer> sites = new HashSet<>();
    for (RaceAnalysis.InFlight race : races) {
      tried.putIfAbsent(new Stacks(race.store(), race.load()), occurrence);
      sites.add(race.site());
    }
    return sites;
  }

  /** What was found; nothing if one thread alone used persistent memory. */
  Optional<RaceLog> log(FindingIdentity identity) {
    if (!analysis.isThreaded()) {
      return Optional.empty();
    }
    Map<Places, Occurrence> byPlace = new HashMap<>();
    tried.forEach(
        (stacks, occurrence) ->
            byPlace.putIfAbsent(
                new Places(
                    identity.place(TargetStack.of(stacks.store())),
                    identity.place(TargetStack.of(stacks.load()))),
                occurrence));
    RaceResult result = analysis.result();
    return Optional.of(
        RaceLog.of(
            result.isComplete(),
            result.races().stream().map(race -> found(race, identity, byPlace)).toList()));
  }

  private static RaceLog.Found found(
      Race race, FindingIdentity identity, Map<Places, Occurrence> tried) {
    List<StackFrame> store = TargetStack.of(race.store());
    List<StackFrame> load = TargetStack.of(race.load());
    Places places = new Places(identity.place(store), identity.place(load));
    PersistencyRace evidence = RaceReports.of(race, Optional.ofNullable(tried.get(places)));
    return new RaceLog.Found(
        identity.ofRace(
            store, evidence.end(), race.ended().map(TargetStack::of).orElse(List.of()), load),
        evidence);
  }
}
