// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Crash states which show that something has to persist as a whole. */
final class TornStores {
  private final KnownMistakes known;

  TornStores(KnownMistakes known) {
    this.known = known;
  }

  /** Of what has to persist as a whole, any part may get lost first. */
  void joinParts(List<Crash> crashes) {
    List<Crash> torn =
        crashes.stream()
            .filter(
                crash -> crash.evidence().state().filter(JudgedState::isOfAtomicity).isPresent())
            .toList();
    List<StoresOfOneUnit> units = torn.stream().map(StoresOfOneUnit::of).toList();
    for (int one = 0; one < units.size(); one++) {
      for (int other = 0; other < one; other++) {
        if (units.get(one).isWith(units.get(other))) {
          known.join(torn.get(one), torn.get(other));
        }
      }
    }
  }

  /**
   * That one store has to persist before another is half of the mistake, if the two have to persist
   * as one, be it for another caller. Again, each state goes by itself: the store may be missing
   * beside others as well. One that only seems so, as another shows more, is nobody's other half.
   * Nobody can order the pieces of what one line of code stores, so that is half of the mistake,
   * too, if any of them has to persist as one with something else.
   */
  void explainOrder(List<Crash> crashes) {
    Map<Set<CrashPlaces.Line>, Crash> pairs = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.isOfAtomicity() && state.hasCause() && !state.arrived().isEmpty())
          .filter(state -> !known.isExplained(crash))
          .ifPresent(state -> pairs.putIfAbsent(pair(state), crash));
    }
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && !state.isOfAtomicity() && !state.arrived().isEmpty())
          .flatMap(
              state ->
                  Optional.ofNullable(pairs.get(pair(state)))
                      .or(() -> withPieces(crash, pairs.values())))
          .ifPresent(both -> known.explain(crash, both));
    }
  }

  private static Optional<Crash> withPieces(Crash order, Collection<Crash> pairs) {
    StoresOfOneUnit pieces = StoresOfOneUnit.of(order);
    return pairs.stream().filter(both -> pieces.isPiecesOf(StoresOfOneUnit.of(both))).findFirst();
  }

  /**
   * What relies on a store may have persisted since. Then it seems torn where it is only not
   * persisted in time, and advice for that is known to help there, too.
   */
  void explainLate(List<Crash> crashes) {
    Map<CrashPlaces.Line, Crash> late = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.adviceVerified())
          .map(state -> state.lost().get(0))
          .filter(store -> store.isUnflushed() || store.isUnfenced())
          .flatMap(store -> CrashPlaces.Line.of(store.store().stack()))
          .ifPresent(line -> late.putIfAbsent(line, crash));
    }
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.isOfAtomicity() && state.mayBeLate())
          .flatMap(state -> CrashPlaces.Line.of(state.lost().get(0).store().stack()))
          .flatMap(line -> Optional.ofNullable(late.get(line)))
          .ifPresent(first -> known.explain(crash, first));
    }
  }

  /**
   * What makes a store count is there too early, as program order shows: then it counts half, too.
   * It would not if it were made first. Where program order lacks several stores, it is not known
   * which of them has to be first.
   */
  void explainEarly(List<Crash> crashes) {
    explainBy(crashes, TornStores::isTooEarly);
  }

  /**
   * In program order an image may have some of what one line of a call stores, and recovery only
   * fails as long as it has not the rest. Then the stores of that line count one by one, in part or
   * as a whole, and it is one mistake that they do.
   */
  void explainHalf(List<Crash> crashes) {
    explainBy(crashes, TornStores::isHalf);
  }

  /** States that tear what one line stores are part of the first failure that shows the same. */
  private void explainBy(List<Crash> crashes, BiPredicate<Crash, ImageStore> showsTheSame) {
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.isOfAtomicity() && state.hasCause() && isOfOneLine(state))
          .map(state -> state.lost().get(0).store())
          .flatMap(torn -> crashes.stream().filter(one -> showsTheSame.test(one, torn)).findFirst())
          .ifPresent(first -> known.explain(crash, first));
    }
  }

  /** Whether an image of program order has some stores of a line, and lacks the rest alone. */
  private static boolean isHalf(Crash crash, ImageStore torn) {
    ImageChanges changes = crash.evidence().changes();
    List<ImageStore> rest = changes.lacks().map(ImageLacks::all).orElse(List.of());
    return crash.isOfProgramOrder()
        && changes.tooEarly().isEmpty()
        && !rest.isEmpty()
        && rest.stream().allMatch(store -> isOfCall(store, torn))
        && changes.stores().stream().anyMatch(store -> isOfCall(store, torn));
  }

  private static boolean isOfCall(ImageStore store, ImageStore torn) {
    return isSame(store, torn) && OneCall.made(store.stack(), torn.stack());
  }

  private static boolean isOfOneLine(JudgedState state) {
    return pair(state).size() == 1;
  }

  /**
   * Whether all that an image of program order lacks is a store, before which its call made one.
   */
  private static boolean isTooEarly(Crash crash, ImageStore late) {
    ImageChanges changes = crash.evidence().changes();
    return changes
        .lacks()
        .flatMap(ImageLacks::only)
        .filter(lacking -> isSame(lacking, late))
        .flatMap(
            lacking ->
                changes
                    .tooEarly()
                    .filter(early -> OneCall.made(early.store().stack(), lacking.stack())))
        .isPresent();
  }

  private static boolean isSame(ImageStore one, ImageStore other) {
    Optional<CrashPlaces.Line> line = CrashPlaces.Line.of(one.stack());
    return line.isPresent() && line.equals(CrashPlaces.Line.of(other.stack()));
  }

  /** The lines of what is lost and of what has to have arrived, if anything has to. */
  private static Set<CrashPlaces.Line> pair(JudgedState state) {
    return Stream.concat(state.lost().stream().limit(1), state.arrived().stream().limit(1))
        .flatMap(store -> CrashPlaces.Line.of(store.store().stack()).stream())
        .collect(Collectors.toSet());
  }
}
