// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.identity.FlushOfLost;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Crash states whose lost stores lack the same fence: one that has to be in the same execution of a
 * function before the same store, or behind the same flushes.
 */
final class MissingFences {
  private final KnownMistakes known;

  MissingFences(KnownMistakes known) {
    this.known = known;
  }

  /**
   * One fence persists all that a function flushed before it, or those that it called or that
   * called it, in one execution: where it flushes in either of two branches, each lacks a fence of
   * its own. So does one fence persist what others stored and one loop flushed.
   */
  void joinBeforeOneStore(List<Crash> crashes) {
    Map<String, List<Crash>> byFence = new LinkedHashMap<>();
    Map<String, Crash> firstOfCall = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.lost().get(0).isUnfenced())
          .filter(state -> !state.arrived().isEmpty())
          .ifPresent(
              state -> {
                Optional<List<StackFrame>> flush = flush(crash, state);
                Stream.concat(
                        fence(state).stream(), flush.map(calls -> before(calls, state)).stream())
                    .forEach(
                        fence ->
                            byFence.computeIfAbsent(fence, one -> new ArrayList<>()).add(crash));
                flush
                    .flatMap(calls -> beforeInOneCall(calls, state))
                    .map(fence -> firstOfCall.putIfAbsent(fence, crash))
                    .ifPresent(first -> known.join(first, crash));
              });
    }
    byFence.values().forEach(alike -> joinPersistedTogether(alike, (one, other) -> true));
    joinOfOneCall(byFence.values());
    joinOfInstances(byFence.values());
  }

  /**
   * A line of source is the same in all instances of a template: they lack one fence before it,
   * whichever of their stores takes a line of its own. It has to be known what they store.
   */
  private void joinOfInstances(Collection<List<Crash>> unfenced) {
    Map<String, List<Crash>> bySource = new LinkedHashMap<>();
    unfenced.stream()
        .flatMap(List::stream)
        .distinct()
        .filter(crash -> crash.evidence().timeline().isPresent())
        .forEach(
            crash ->
                crash
                    .evidence()
                    .state()
                    .flatMap(MissingFences::fenceInSource)
                    .ifPresent(
                        fence ->
                            bySource.computeIfAbsent(fence, one -> new ArrayList<>()).add(crash)));
    bySource.values().forEach(alike -> joinPersistedTogether(alike, (one, other) -> true));
  }

  /** Of a function and of one that it called, if it made the call that relies on both, too. */
  private void joinOfOneCall(Collection<List<Crash>> unfenced) {
    Map<List<StackFrame>, List<Crash>> byArrived = new LinkedHashMap<>();
    unfenced.stream()
        .flatMap(List::stream)
        .distinct()
        .forEach(
            crash ->
                byArrived
                    .computeIfAbsent(stack(crash, JudgedState::arrived), one -> new ArrayList<>())
                    .add(crash));
    byArrived.values().forEach(alike -> joinPersistedTogether(alike, MissingFences::areOfOneCall));
  }

  private static boolean areOfOneCall(Crash crash, Crash other) {
    List<StackFrame> one = stack(crash, JudgedState::lost);
    List<StackFrame> another = stack(other, JudgedState::lost);
    return OneCall.made(one, another) || OneCall.made(another, one);
  }

  private static List<StackFrame> stack(
      Crash crash, Function<JudgedState, List<JudgedState.Store>> stores) {
    return stores.apply(crash.evidence().state().orElseThrow()).get(0).store().stack();
  }

  private void joinPersistedTogether(List<Crash> alike, BiPredicate<Crash, Crash> areOne) {
    List<UnfencedStores> times = alike.stream().map(UnfencedStores::of).toList();
    for (int one = 0; one < times.size(); one++) {
      for (int other = 0; other < one; other++) {
        if (areOne.test(alike.get(one), alike.get(other))
            && times.get(one).isWith(times.get(other))) {
          known.join(alike.get(one), alike.get(other));
        }
      }
    }
  }

  private static Optional<List<StackFrame>> flush(Crash crash, JudgedState state) {
    return crash.evidence().timeline().flatMap(timeline -> FlushOfLost.calls(state, timeline));
  }

  private static String before(List<StackFrame> flush, JudgedState state) {
    return "flushed at %s before %s".formatted(flush, state.arrived().get(0).store().stack());
  }

  /**
   * Where one call of a function flushed and then made the store that relies on it, the fence is
   * missing in between, whoever makes that call.
   */
  private static Optional<String> beforeInOneCall(List<StackFrame> flush, JudgedState state) {
    List<StackFrame> arrived = state.arrived().get(0).store().stack();
    OptionalInt depth = OneCall.depth(arrived, flush);
    return CrashPlaces.Line.of(arrived)
        .filter(line -> depth.isPresent())
        .map(
            line ->
                "flushed at %s before %s"
                    .formatted(
                        flush.subList(0, depth.getAsInt() + 1).stream()
                            .map(StackFrame::text)
                            .toList(),
                        line));
  }

  /**
   * In which function it can be, and before what: in the one that made the store that persisted too
   * early, if one of the two functions made its store and called the other; else in the one that
   * made the lost store.
   */
  static Optional<String> fence(JudgedState state) {
    List<StackFrame> lost = state.lost().get(0).store().stack();
    List<StackFrame> arrived = state.arrived().get(0).store().stack();
    boolean isOfOneCall = OneCall.made(arrived, lost) || OneCall.made(lost, arrived);
    return UserCode.of(isOfOneCall ? arrived : lost)
        .map(frame -> "%s before %s".formatted(function(frame), arrived(state, frame)));
  }

  /** The same where that is a line of the function that made the lost store, in its source. */
  private static Optional<String> fenceInSource(JudgedState state) {
    return UserCode.of(state.lost().get(0).store().stack())
        .flatMap(
            lost ->
                UserCode.of(state.arrived().get(0).store().stack())
                    .filter(frame -> frame.function().equals(lost.function()))
                    .filter(frame -> frame.module().equals(lost.module()) && frame.line() > 0)
                    .map(
                        frame ->
                            "%s of %s before %s:%d"
                                .formatted(
                                    FunctionName.of(frame.function()),
                                    frame.module(),
                                    frame.file(),
                                    frame.line())));
  }

  /** A line of the same function is one place, whoever calls that, and wherever it is inlined. */
  private static String arrived(JudgedState state, StackFrame lost) {
    List<StackFrame> stack = state.arrived().get(0).store().stack();
    return UserCode.of(stack)
        .filter(frame -> frame.function().equals(lost.function()))
        .filter(frame -> frame.module().equals(lost.module()))
        .flatMap(frame -> CrashPlaces.Line.of(stack))
        .map(CrashPlaces.Line::toString)
        .orElse(stack.toString());
  }

  /** In words that are the same wherever it is called. */
  static String function(StackFrame frame) {
    return "%s of %s".formatted(frame.function(), frame.module());
  }

  /**
   * What one call flushed lacks one fence behind it, whatever relies on it first. Beside other
   * mistakes it may not be known what does.
   */
  void joinBehindOneFlush(List<Crash> crashes) {
    Map<List<StackFrame>, List<Crash>> byFlush = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.lost().get(0).isUnfenced())
          .filter(state -> !known.isExplained(crash))
          .flatMap(
              state -> crash.evidence().timeline().flatMap(all -> FlushOfLost.calls(state, all)))
          .ifPresent(calls -> byFlush.computeIfAbsent(calls, none -> new ArrayList<>()).add(crash));
    }
    for (List<Crash> alike : byFlush.values()) {
      List<Crash> certain = alike.stream().filter(Crash::hasArrived).toList();
      for (Crash crash : alike) {
        certain.stream()
            .filter(other -> UnfencedStores.of(other).has(UnfencedStores.of(crash)))
            .findFirst()
            .ifPresent(other -> joinFence(crash, other));
      }
      joinBeforeOneAnswer(alike);
    }
  }

  /** Where nothing persisted too early, the target has answered for all of them too early. */
  private void joinBeforeOneAnswer(List<Crash> alike) {
    Map<List<Object>, Crash> first = new HashMap<>();
    for (Crash crash : alike) {
      if (!crash.hasArrived()) {
        Crash other =
            first.putIfAbsent(List.of(crash.evidence().failurePointId(), crash.reason()), crash);
        if (other != null) {
          known.join(crash, other);
        }
      }
    }
  }

  private void joinFence(Crash crash, Crash certain) {
    if (crash.hasArrived()) {
      known.join(crash, certain);
    } else {
      known.explain(crash, certain);
    }
  }
}
