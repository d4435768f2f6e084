// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.mistakes.CrashPlaces;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A bug that proves a race. Where the store is made under a lock that the reader holds, too, a
 * flush is usually there and comes too late: what to do is to persist the store before the lock is
 * released. Where no flush or fence is to be added, the reader has to be kept from coming between.
 */
final class RaceProof {
  /** What a store lacks that a lock makes up for. */
  private static final Set<JudgedState.Missing> LACKS =
      Set.of(JudgedState.Missing.FLUSH, JudgedState.Missing.FENCE);

  private RaceProof() {}

  /** The finding with the race, and with what the race says is to be done. */
  static Finding of(Finding finding, PersistencyRace race) {
    if (!finding.races().isEmpty() || isSeenInItsThread(finding, race)) {
      return finding.with(race);
    }
    boolean isAdvised = states(finding, race).anyMatch(state -> state.advice().isPresent());
    List<Evidence> evidence =
        finding.evidence().stream()
            .map(
                one ->
                    one.<Evidence>match(
                        crash -> remedied(crash, race, isAdvised),
                        pattern -> pattern,
                        other -> other,
                        dataRace -> dataRace))
            .toList();
    return evidence.equals(finding.evidence())
        ? finding.with(race)
        : finding.told(evidence).with(race);
  }

  private static InjectionEvidence remedied(
      InjectionEvidence crash, PersistencyRace race, boolean isAdvised) {
    return crash
        .state()
        .filter(state -> loses(state, race))
        .flatMap(state -> remedy(state, race, isAdvised).map(state::remediedBy))
        .map(crash::withState)
        .orElse(crash);
  }

  private static Optional<String> remedy(
      JudgedState state, PersistencyRace race, boolean isAdvised) {
    return race.remedy()
        .or(
            () ->
                isAdvised || !LACKS.contains(state.lost().get(0).missing())
                    ? Optional.empty()
                    : race.remedyOfOrder(state.isPastCache()));
  }

  /**
   * Whether recovery fails where the thread that made the lost store made another one that
   * persisted. Then it has to be persisted before that, which is long before the lock is released.
   */
  private static boolean isSeenInItsThread(Finding finding, PersistencyRace race) {
    return states(finding, race)
        .anyMatch(
            state ->
                !state.arrived().isEmpty()
                    && state.arrived().stream()
                        .allMatch(store -> store.thread() == state.lost().get(0).thread()));
  }

  /**
   * Whether recovery fails where the store is lost and what another thread stored is not, while
   * threads act on the store before it is persisted. That shows the race wherever the power was
   * cut: a crash is tried for a race at some of the places only where it happens.
   */
  static boolean isSeenInAnotherThread(Finding finding, PersistencyRace race) {
    return race.level() == PersistencyRace.Level.CONSEQUENCE
        && states(finding, race)
            .anyMatch(
                state ->
                    lost(state, race)
                        .anyMatch(
                            lost ->
                                state.arrived().stream()
                                    .anyMatch(store -> store.thread() != lost.thread())));
  }

  /** The states that lost the raced store. */
  private static Stream<JudgedState> states(Finding finding, PersistencyRace race) {
    return finding.evidence().stream()
        .filter(InjectionEvidence.class::isInstance)
        .map(InjectionEvidence.class::cast)
        .flatMap(crash -> crash.state().stream())
        .filter(state -> loses(state, race));
  }

  private static boolean loses(JudgedState state, PersistencyRace race) {
    return lost(state, race).findFirst().isPresent();
  }

  private static Stream<JudgedState.Store> lost(JudgedState state, PersistencyRace race) {
    Optional<CrashPlaces.Line> stored = CrashPlaces.Line.of(race.store().stack());
    return state.lost().stream()
        .filter(lost -> stored.isPresent())
        .filter(lost -> CrashPlaces.Line.of(lost.store().stack()).equals(stored));
  }
}
