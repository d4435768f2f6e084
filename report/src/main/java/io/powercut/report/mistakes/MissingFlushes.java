// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Crash states whose lost stores lack the same flush, of a line or a run of lines that a function
 * stored to, or the same call that synchronises a file.
 */
final class MissingFlushes {
  private final KnownMistakes known;

  MissingFlushes(KnownMistakes known) {
    this.known = known;
  }

  /**
   * One flush persists all that a function stored to a line before it. Where one store is followed
   * by the other each time that it is lost, one flush behind the other is enough. If it is not even
   * once, that would not help there, so each lacks a flush of its own. What follows in other orders
   * of threads than the recorded one is not known.
   */
  void joinOfOneObject(List<Crash> crashes) {
    crashes.stream()
        .filter(
            crash ->
                crash
                    .evidence()
                    .state()
                    .filter(state -> state.hasCause() && state.lost().get(0).isUnflushed())
                    .isPresent())
        .collect(Collectors.partitioningBy(Crash::isOnDaxOnly))
        .values()
        .forEach(this::joinUnflushed);
  }

  /** A flush that is too short misses all that it should have flushed there. */
  void joinOfShortFlush(List<Crash> crashes) {
    Map<ShortFlush, Crash> first = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .timeline()
          .flatMap(timeline -> ShortFlush.of(timeline.shortFlush()))
          .map(flush -> first.putIfAbsent(flush, crash))
          .ifPresent(other -> known.join(other, crash));
    }
  }

  private void joinUnflushed(List<Crash> unflushed) {
    Map<CrashPlaces.Line, List<Crash>> byPlace = new LinkedHashMap<>();
    Map<CrashPlaces.Line, Set<CrashPlaces.Line>> alwaysBehind = new HashMap<>();
    List<Crash> recordedFirst =
        unflushed.stream()
            .sorted(Comparator.comparing((Crash crash) -> !crash.isOfRecordedOrder()))
            .toList();
    for (Crash crash : recordedFirst) {
      UnflushedStores stores = UnflushedStores.of(crash);
      for (CrashPlaces.Line place : stores.lost().stream().toList()) {
        byPlace.computeIfAbsent(place, unknown -> new ArrayList<>()).add(crash);
        Set<CrashPlaces.Line> behind =
            alwaysBehind.computeIfAbsent(place, unknown -> new LinkedHashSet<>(stores.behind()));
        if (crash.isOfRecordedOrder()) {
          behind.retainAll(stores.behind());
        }
      }
    }
    for (Map.Entry<CrashPlaces.Line, List<Crash>> lost : byPlace.entrySet()) {
      Crash first = lost.getValue().get(0);
      for (CrashPlaces.Line place : alwaysBehind.getOrDefault(lost.getKey(), Set.of())) {
        List<Crash> others = byPlace.getOrDefault(place, List.of());
        Stream.concat(lost.getValue().stream(), others.stream())
            .filter(crash -> !others.isEmpty())
            .forEach(crash -> known.join(first, crash));
      }
    }
  }

  /**
   * One call synchronises all that a function stored to a file before the same later store, or
   * before the same change of a name or a size. A crash that lost the last of it explains the
   * others: a call right behind that store is enough.
   */
  void joinOfOneCall(List<Crash> crashes) {
    Map<String, List<Crash>> byCall = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.isNotSynchronised())
          .flatMap(MissingFlushes::call)
          .ifPresent(call -> byCall.computeIfAbsent(call, one -> new ArrayList<>()).add(crash));
    }
    for (List<Crash> alike : byCall.values()) {
      List<UnfencedStores> stores = alike.stream().map(UnfencedStores::of).toList();
      for (int one = 0; one < alike.size(); one++) {
        for (int other = 0; other < alike.size(); other++) {
          if (!alike.get(one).hasArrived()) {
            known.join(alike.get(one), alike.get(other));
          } else if (stores.get(one).isBefore(stores.get(other))) {
            known.join(alike.get(one), alike.get(other));
            known.explain(alike.get(one), alike.get(other));
          }
        }
      }
    }
  }

  /**
   * A call of fsync persists all that was written to the file before, whoever wrote it. Where what
   * one line wrote is followed by what another one wrote each time that it is lost, a call behind
   * that is enough for both, and one behind the first alone is not.
   */
  void joinOfOneFile(List<Crash> crashes) {
    Map<String, List<Crash>> byFile = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.isNotSynchronised())
          .map(state -> state.lost().get(0).store().file())
          .ifPresent(file -> byFile.computeIfAbsent(file, unknown -> new ArrayList<>()).add(crash));
    }
    byFile.values().forEach(this::joinWritten);
  }

  private void joinWritten(List<Crash> ofFile) {
    Map<CrashPlaces.Line, List<Crash>> byLine = new LinkedHashMap<>();
    for (Crash crash : ofFile) {
      CrashPlaces.Line.of(crash.evidence().state().orElseThrow().lost().get(0).store().stack())
          .ifPresent(line -> byLine.computeIfAbsent(line, unknown -> new ArrayList<>()).add(crash));
    }
    for (List<Crash> first : byLine.values()) {
      byLine.forEach(
          (line, last) -> {
            if (last.stream().allMatch(MissingFlushes::isWritten)
                && first.stream().allMatch(one -> written(one).contains(line))) {
              first.forEach(one -> known.join(one, last.get(0)));
              first.forEach(one -> known.explain(one, last.get(0)));
            }
          });
    }
  }

  private static boolean isWritten(Crash crash) {
    return crash.evidence().state().filter(JudgedState::isWrittenOnly).isPresent();
  }

  /** The places of what was always written behind what a crash lost. */
  private static Set<CrashPlaces.Line> written(Crash crash) {
    return crash.evidence().timeline().stream()
        .flatMap(timeline -> timeline.written().stream())
        .flatMap(stack -> CrashPlaces.Line.of(stack).stream())
        .collect(Collectors.toSet());
  }

  /**
   * One call persists too late what a function stored to a file before and behind one change of a
   * name or a size that relies on all of it.
   */
  void joinBehindOneChange(List<Crash> crashes) {
    Map<String, List<Crash>> byCall = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.arrived().isEmpty())
          .flatMap(MissingFlushes::lateCall)
          .ifPresent(call -> byCall.computeIfAbsent(call, one -> new ArrayList<>()).add(crash));
    }
    for (List<Crash> alike : byCall.values()) {
      joinOfOne(alike, crash -> change(crash).isPresent(), MissingFlushes::change);
      joinOfOne(alike, MissingFlushes::isWithoutOtherAdvice, MissingFlushes::newName);
    }
  }

  /** Those that fit, if all of them that have a change have the same. */
  private <T> void joinOfOne(
      List<Crash> crashes, Predicate<Crash> fits, Function<Crash, Optional<T>> change) {
    List<Crash> alike = crashes.stream().filter(fits).toList();
    if (alike.stream().map(change).flatMap(Optional::stream).distinct().count() == 1) {
      alike.forEach(crash -> known.join(alike.get(0), crash));
    }
  }

  /** The change that takes effect before. */
  private static Optional<List<StackFrame>> change(Crash crash) {
    ImageChanges changes = crash.evidence().changes();
    return changes.call().filter(call -> changes.isOnlyCall()).map(MetadataCall::stack);
  }

  /** Of what comes behind the change no advice says so. */
  private static boolean isWithoutOtherAdvice(Crash crash) {
    return crash
        .evidence()
        .state()
        .filter(state -> state.advice().isEmpty() || state.newName().isPresent())
        .isPresent();
  }

  private static Optional<String> newName(Crash crash) {
    return crash.evidence().state().flatMap(JudgedState::newName);
  }

  /** Which function stored to which file, and what persists that too late. */
  private static Optional<String> lateCall(JudgedState state) {
    ImageStore lost = state.lost().get(0).store();
    return UserCode.of(lost.stack())
        .filter(frame -> !state.persistedAt().isEmpty())
        .map(
            frame ->
                Stream.concat(
                        Stream.of(lost.file(), MissingFences.function(frame)),
                        state.persistedAt().stream().map(StackFrame::text))
                    .collect(Collectors.joining(" ")));
  }

  /**
   * What one call of a function persists behind a store that it makes itself comes too late for all
   * who stored that: the two are in the wrong order. So is what it persists there by several calls,
   * of what it stored before.
   */
  void joinBehindOneStore(List<Crash> crashes) {
    Map<List<String>, Crash> first = new HashMap<>();
    for (Crash crash : crashes) {
      crash.evidence().state().filter(JudgedState::hasCause).stream()
          .flatMap(MissingFlushes::orders)
          .forEach(
              order -> {
                Crash other = first.putIfAbsent(order, crash);
                if (other != null) {
                  known.join(other, crash);
                }
              });
    }
  }

  /** The store that comes too early, and the calls to what persists the lost one behind it. */
  private static Stream<List<String>> orders(JudgedState state) {
    if (state.arrived().isEmpty() || !state.lost().get(0).isUnflushed()) {
      return Stream.empty();
    }
    List<StackFrame> early = state.arrived().get(0).store().stack();
    List<StackFrame> late = state.persistedAt();
    OptionalInt depth = OneCall.depth(early, late);
    Optional<String> line = CrashPlaces.Line.of(early).map(CrashPlaces.Line::toString);
    if (depth.isEmpty() || line.isEmpty()) {
      return Stream.empty();
    }
    int within = depth.getAsInt() + 1;
    boolean isOwn = OneCall.made(early, state.lost().get(0).store().stack());
    return Stream.concat(
            Stream.of(late.subList(0, within)),
            isOwn ? Stream.of(late.subList(within, late.size())) : Stream.empty())
        .map(
            calls ->
                Stream.concat(Stream.of(line.get()), calls.stream().map(StackFrame::text))
                    .toList());
  }

  /** Which function lacks the call, for which file, and before what. */
  private static Optional<String> call(JudgedState state) {
    ImageStore lost = state.lost().get(0).store();
    Optional<String> missing =
        state.arrived().isEmpty()
            ? UserCode.of(lost.stack())
                .flatMap(
                    frame ->
                        state.newName().map(name -> MissingFences.function(frame) + " " + name))
            : MissingFences.fence(state);
    return missing.map(call -> lost.file() + " by " + call);
  }
}
