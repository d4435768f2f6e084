// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import com.google.common.collect.Multimap;
import io.powercut.report.evidence.JudgedState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which crashes show one mistake. Those with one fingerprint do: they have the code to fix in
 * common. Beside that, what {@link ProgramOrder} shows, and crash states whose lost stores lack the
 * same {@linkplain MissingFences fence} or {@linkplain MissingFlushes flush}, or which show that
 * either of {@linkplain TornStores two stores} can persist without the other. That one function
 * calls both is never a reason.
 */
public final class CrashGroups {
  private final KnownMistakes known;

  private CrashGroups(KnownMistakes known) {
    this.known = known;
  }

  /**
   * Groups crashes.
   *
   * @param same fingerprints that are known to show the same mistake as others
   * @return each group with the crashes of program order in front, in the order of the trace
   */
  public static List<List<Crash>> of(List<Crash> crashes, Multimap<String, String> same) {
    Groups groups = new Groups();
    same.forEach(groups::join);
    ProgramOrder order = new ProgramOrder(crashes, groups);
    KnownMistakes known = new KnownMistakes(groups, order);
    TornStores torn = new TornStores(known);
    MissingFences fences = new MissingFences(known);
    MissingFlushes flushes = new MissingFlushes(known);
    CrashGroups joined = new CrashGroups(known);
    joined.explainByEarlyStores(crashes, order);
    torn.joinParts(crashes);
    fences.joinBeforeOneStore(crashes);
    flushes.joinOfShortFlush(crashes);
    flushes.joinOfOneObject(crashes);
    flushes.joinOfOneCall(crashes);
    flushes.joinOfOneFile(crashes);
    flushes.joinBehindOneStore(crashes);
    flushes.joinBehindOneChange(crashes);
    joined.explainByCauses(crashes);
    torn.explainLate(crashes);
    torn.explainEarly(crashes);
    torn.explainHalf(crashes);
    torn.explainOrder(crashes);
    fences.joinBehindOneFlush(crashes);
    return joined.grouped(crashes);
  }

  /** The call that made the store, or its thread, has not gone on there. */
  private void explainByEarlyStores(List<Crash> crashes, ProgramOrder order) {
    for (Crash crash : crashes) {
      Optional<Crash> cause = order.behindSameStore(crash);
      if (cause.isPresent()) {
        known.join(crash, cause.get());
        known.explain(crash, cause.get());
      }
    }
  }

  /**
   * Recovery fails when several stores are lost together, and one of them is known to be a mistake
   * by itself: were it persisted, there were no such state. Or were it made before what is there
   * without it in its cache line. Each such state goes by itself: others with its fingerprint may
   * have lost another mistake's store beside the same flag.
   */
  private void explainByCauses(List<Crash> crashes) {
    Map<CrashPlaces.Line, Crash> notPersisted = causes(crashes, CrashGroups::isNotPersisted);
    Map<CrashPlaces.Line, Crash> tooLate =
        causes(crashes, store -> store.missing() == JudgedState.Missing.ORDER);
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> !state.hasCause())
          .flatMap(
              state ->
                  known(state, notPersisted)
                      .or(() -> known(state, tooLate).filter(one -> isWithArrivedOf(one, state))))
          .ifPresent(cause -> known.explain(crash, cause));
    }
  }

  /** The crash states with a cause of a kind, by the line of what they lost. */
  private static Map<CrashPlaces.Line, Crash> causes(
      List<Crash> crashes, Predicate<JudgedState.Store> kind) {
    Map<CrashPlaces.Line, Crash> byLine = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(JudgedState::hasCause)
          .map(state -> state.lost().get(0))
          .filter(kind)
          .flatMap(store -> CrashPlaces.Line.of(store.store().stack()))
          .ifPresent(line -> byLine.putIfAbsent(line, crash));
    }
    return byLine;
  }

  private static boolean isNotPersisted(JudgedState.Store store) {
    return store.isUnflushed() || store.isUnfenced();
  }

  /** The cause of the first lost store that has one. */
  private static Optional<Crash> known(JudgedState state, Map<CrashPlaces.Line, Crash> causes) {
    return state.lost().stream()
        .filter(CrashGroups::isNotPersisted)
        .flatMap(store -> CrashPlaces.Line.of(store.store().stack()).stream())
        .flatMap(line -> Optional.ofNullable(causes.get(line)).stream())
        .findFirst();
  }

  /** Whether a state has not lost what is there without the lost store of a crash. */
  private static boolean isWithArrivedOf(Crash cause, JudgedState state) {
    Set<CrashPlaces.Line> lost = lines(state.lost());
    return cause.evidence().state().stream()
        .flatMap(known -> lines(known.arrived()).stream())
        .noneMatch(lost::contains);
  }

  private static Set<CrashPlaces.Line> lines(List<JudgedState.Store> stores) {
    return stores.stream()
        .flatMap(store -> CrashPlaces.Line.of(store.store().stack()).stream())
        .collect(Collectors.toSet());
  }

  private List<List<Crash>> grouped(List<Crash> crashes) {
    Map<String, List<Crash>> members = new LinkedHashMap<>();
    crashes.forEach(
        crash ->
            members
                .computeIfAbsent(known.mistakeOf(crash), unknown -> new ArrayList<>())
                .add(crash));
    members.values().forEach(this::sort);
    return List.copyOf(members.values());
  }

  /**
   * States stay in their order, that of the tree, but for four kinds, which come later: those of
   * which another shows more, what only DAX leaves, as it shows others less, what another order of
   * threads led to, and later occurrences. The last are judged when the mistake is known already,
   * unless parts of a campaign were run each by itself. Then the merged report names the same crash
   * as that of a whole run.
   */
  private void sort(List<Crash> group) {
    group.sort(
        Comparator.comparing((Crash crash) -> !crash.isOfProgramOrder())
            .thenComparing(
                crash -> crash.evidence().state().filter(state -> !state.hasCause()).isPresent())
            .thenComparing(known::isExplained)
            .thenComparing(Crash::isOnDaxOnly)
            .thenComparing(crash -> crash.evidence().order())
            .thenComparing(crash -> !crash.isOfProgramOrder() && crash.evidence().occurrence() > 1)
            .thenComparing(
                crash ->
                    crash.isOfProgramOrder()
                        ? crash.ordinal().orElse(ProgramOrder.UNKNOWN)
                        : ProgramOrder.UNKNOWN));
  }
}
