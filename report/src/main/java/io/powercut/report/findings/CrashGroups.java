// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.google.common.collect.Multimap;
import com.google.common.collect.Sets;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.identity.FlushOfLost;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which crashes show one mistake. Those with one fingerprint do: they have the code to fix in
 * common. Beside that, in program order, those in one window on which recovery does the same; and a
 * crash state with a program-order image, if that image is the same and in the window before or
 * after it, if it is known to show what the state lost, or if recovery fails there because the same
 * store is there. And crash states whose lost stores lack the same fence: one that has to be in the
 * same execution of a function before the same store; or the same flush, of a line that a function
 * stored to; or which show that either of two stores can persist without the other. That one
 * function calls both is never a reason.
 */
final class CrashGroups {
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final Groups groups = new Groups();
  private final List<Crash> inOrder;

  /** Fingerprints of program order by their images and windows. */
  private final Map<String, String> byImage = new HashMap<>();

  /** Of the crash states that program order shows, too: what it is there, by fingerprint. */
  private final Map<String, Map<List<StackFrame>, String>> shown = new HashMap<>();

  /** By the calls that led to a lost store: what was stored to its line beside it. */
  private final Map<List<CrashPlaces.Line>, Set<CrashPlaces.Line>> beside = new HashMap<>();

  /** Of crash states: the crash that shows more of what is wrong. */
  private final IdentityHashMap<Crash, Crash> causes = new IdentityHashMap<>();

  private CrashGroups(List<Crash> crashes) {
    this.inOrder =
        crashes.stream()
            .filter(Crash::isOfProgramOrder)
            .sorted(Comparator.comparing(crash -> crash.ordinal().orElse(UNKNOWN)))
            .toList();
  }

  /**
   * Groups crashes.
   *
   * @param same fingerprints that are known to show the same mistake as others
   * @return each group with the crashes of program order in front, in the order of the trace
   */
  static List<List<Crash>> of(List<Crash> crashes, Multimap<String, String> same) {
    CrashGroups joined = new CrashGroups(crashes);
    same.forEach(joined.groups::join);
    joined.joinProgramOrder();
    crashes.forEach(joined::findBeside);
    crashes.forEach(joined::find);
    joined.joinWithOtherParts(crashes);
    joined.joinWithSameFence(crashes);
    joined.joinWithSameFlush(crashes);
    joined.joinWithSameCall(crashes);
    joined.joinWithCauses(crashes);
    joined.joinWithLate(crashes);
    joined.joinWithOtherOrder(crashes);
    joined.joinWithKnownFence(crashes);
    return joined.grouped(crashes);
  }

  /**
   * In a window, recovery fails for one mistake until it would succeed again without another store
   * that is there too early: from there on, it fails for another one. What is known of the first
   * crash with a fingerprint holds for the others. The same store is too early for one reason,
   * whatever recovery does because of it.
   */
  private void joinProgramOrder() {
    Map<String, List<CrashPlaces.Line>> known = new HashMap<>();
    Map<Integer, List<CrashPlaces.Line>> tooEarly = new HashMap<>();
    Map<Integer, Integer> mistakes = new HashMap<>();
    for (Crash crash : inOrder) {
      if (!tooEarly(crash).isEmpty()) {
        known.putIfAbsent(crash.fingerprint(), tooEarly(crash));
        groups.join(crash.fingerprint(), "too early " + callsOfTooEarly(crash));
      }
      if (crash.window().isPresent()) {
        int window = crash.window().get();
        List<CrashPlaces.Line> here = known.getOrDefault(crash.fingerprint(), List.of());
        if (!here.isEmpty()) {
          List<CrashPlaces.Line> before = tooEarly.put(window, here);
          boolean isAnother = before != null && !before.equals(here);
          mistakes.merge(window, isAnother ? 1 : 0, Integer::sum);
        }
        String mistake = window + "." + mistakes.getOrDefault(window, 0);
        groups.join(crash.fingerprint(), "window " + mistake + " " + crash.reason());
        crash
            .imageHash()
            .ifPresent(hash -> byImage.putIfAbsent(image(hash, window), crash.fingerprint()));
      }
    }
  }

  private static List<CrashPlaces.Line> tooEarly(Crash crash) {
    return crash.evidence().changes().tooEarly().stream()
        .flatMap(early -> calls(early.store().stack()).stream())
        .toList();
  }

  /**
   * Of the call stack every line, wherever the compiler put its code, and whatever it called it.
   */
  private static List<CrashPlaces.Line> callsOfTooEarly(Crash crash) {
    return crash.evidence().changes().tooEarly().stream()
        .flatMap(early -> early.store().stack().stream())
        .flatMap(frame -> CrashPlaces.Line.of(List.of(frame)).stream())
        .toList();
  }

  private static String image(String hash, int window) {
    return hash + " " + window;
  }

  /**
   * The same store is lost here and there too early elsewhere: what nothing persists, and no log
   * takes back. A helper that sets a flag may do so for many mistakes: one caller has to call it.
   * Or another one that the same call made to the same line: what nothing persists in between lacks
   * the same.
   */
  private Optional<String> tooEarlyElsewhere(JudgedState state) {
    List<CrashPlaces.Line> lost = calls(state.lost().get(0).store().stack());
    return inOrder.stream()
        .filter(early -> !lost.isEmpty() && tooEarly(early).equals(lost))
        .findFirst()
        .or(() -> inOrder.stream().filter(early -> isBeside(tooEarly(early), lost)).findFirst())
        .map(Crash::fingerprint);
  }

  private boolean isBeside(List<CrashPlaces.Line> early, List<CrashPlaces.Line> lost) {
    return !early.isEmpty()
        && early.size() == lost.size()
        && early.subList(1, early.size()).equals(lost.subList(1, lost.size()))
        && beside.getOrDefault(lost, Set.of()).contains(early.get(0));
  }

  /** Not of every crash the drawing goes back so far. What is flushed lacks something else. */
  private void findBeside(Crash crash) {
    crash
        .evidence()
        .state()
        .filter(state -> state.hasCause() && !state.lost().get(0).missing().equals("fence"))
        .map(state -> calls(state.lost().get(0).store().stack()))
        .ifPresent(
            lost ->
                beside
                    .computeIfAbsent(lost, unknown -> new HashSet<>())
                    .addAll(UnflushedStores.around(crash)));
  }

  /** The line of the user's code, and that of the call to it. */
  private static List<CrashPlaces.Line> calls(List<StackFrame> stack) {
    List<CrashPlaces.Line> lines = new ArrayList<>();
    UserCode.of(stack)
        .map(stack::indexOf)
        .ifPresent(
            innermost ->
                stack.stream()
                    .skip(innermost)
                    .limit(2)
                    .forEach(frame -> CrashPlaces.Line.of(List.of(frame)).ifPresent(lines::add)));
    return lines;
  }

  private void find(Crash crash) {
    shownInOrder(crash)
        .ifPresent(
            fingerprint ->
                shown
                    .computeIfAbsent(crash.fingerprint(), unknown -> new HashMap<>())
                    .putIfAbsent(crash.evidence().place(), fingerprint));
  }

  /** The fingerprint of program order that shows the mistake of a state. */
  private Optional<String> shownInOrder(Crash crash) {
    return crash
        .evidence()
        .state()
        .flatMap(
            state ->
                sameImage(crash)
                    .or(
                        () ->
                            state
                                .shownBefore()
                                .flatMap(id -> lastBefore(crash, id))
                                .map(Crash::fingerprint))
                    .or(() -> tooEarlyElsewhere(state)));
  }

  private Optional<String> sameImage(Crash crash) {
    if (crash.imageHash().isEmpty() || crash.window().isEmpty()) {
      return Optional.empty();
    }
    int window = crash.window().get();
    return Stream.of(window, window + 1)
        .flatMap(
            either ->
                Optional.ofNullable(byImage.get(image(crash.imageHash().get(), either))).stream())
        .findFirst();
  }

  /** The failure point may have been passed often, and shown several things. */
  private Optional<Crash> lastBefore(Crash crash, FailurePointId id) {
    long end = crash.ordinal().orElse(UNKNOWN);
    return inOrder.stream()
        .filter(earlier -> earlier.evidence().failurePointId().equals(id))
        .filter(earlier -> earlier.ordinal().orElse(0L) <= end)
        .max(Comparator.comparing(earlier -> earlier.ordinal().orElse(0L)));
  }

  /** Of what has to persist as a whole, any part may get lost first. */
  private void joinWithOtherParts(List<Crash> crashes) {
    List<Crash> torn =
        crashes.stream()
            .filter(crash -> crash.evidence().state().filter(CrashGroups::isAtomicity).isPresent())
            .toList();
    List<StoresOfOneUnit> units = torn.stream().map(StoresOfOneUnit::of).toList();
    for (int one = 0; one < units.size(); one++) {
      for (int other = 0; other < one; other++) {
        if (units.get(one).isWith(units.get(other))) {
          groups.join(name(torn.get(one)), name(torn.get(other)));
        }
      }
    }
  }

  private static Optional<String> flush(Crash crash, JudgedState state) {
    return crash.evidence().timeline().flatMap(timeline -> FlushOfLost.of(state, timeline));
  }

  /**
   * One fence persists all that a function flushed before it, in one execution: where it flushes in
   * either of two branches, each lacks a fence of its own. So does one fence persist what others
   * stored and one loop flushed.
   */
  private void joinWithSameFence(List<Crash> crashes) {
    Map<String, List<Crash>> byFence = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.lost().get(0).missing().equals("fence"))
          .filter(state -> !state.arrived().isEmpty())
          .ifPresent(
              state ->
                  Stream.concat(fence(state).stream(), flush(crash, state).stream())
                      .forEach(
                          fence ->
                              byFence.computeIfAbsent(fence, one -> new ArrayList<>()).add(crash)));
    }
    for (List<Crash> alike : byFence.values()) {
      List<UnfencedStores> times = alike.stream().map(UnfencedStores::of).toList();
      for (int one = 0; one < times.size(); one++) {
        for (int other = 0; other < one; other++) {
          if (times.get(one).isWith(times.get(other))) {
            groups.join(name(alike.get(one)), name(alike.get(other)));
          }
        }
      }
    }
  }

  /**
   * One flush persists all that a function stored to a line before it. Where one store is followed
   * by the other each time that it is lost, one flush behind the other is enough. If it is not even
   * once, that would not help there, so each lacks a flush of its own.
   */
  private void joinWithSameFlush(List<Crash> crashes) {
    crashes.stream()
        .filter(
            crash ->
                crash
                    .evidence()
                    .state()
                    .filter(state -> state.hasCause() && isUnflushed(state.lost().get(0)))
                    .isPresent())
        .collect(Collectors.partitioningBy(Crash::isOnDaxOnly))
        .values()
        .forEach(this::joinUnflushed);
  }

  private void joinUnflushed(List<Crash> unflushed) {
    Map<CrashPlaces.Line, List<Crash>> byPlace = new LinkedHashMap<>();
    Map<CrashPlaces.Line, Set<CrashPlaces.Line>> alwaysBehind = new HashMap<>();
    for (Crash crash : unflushed) {
      UnflushedStores stores = UnflushedStores.of(crash);
      for (CrashPlaces.Line place : stores.lost().stream().toList()) {
        byPlace.computeIfAbsent(place, unknown -> new ArrayList<>()).add(crash);
        alwaysBehind
            .computeIfAbsent(place, unknown -> new LinkedHashSet<>(stores.behind()))
            .retainAll(stores.behind());
      }
    }
    for (Map.Entry<CrashPlaces.Line, List<Crash>> lost : byPlace.entrySet()) {
      Crash first = lost.getValue().get(0);
      for (CrashPlaces.Line place : alwaysBehind.getOrDefault(lost.getKey(), Set.of())) {
        List<Crash> others = byPlace.getOrDefault(place, List.of());
        Stream.concat(lost.getValue().stream(), others.stream())
            .filter(crash -> !others.isEmpty())
            .forEach(crash -> groups.join(name(first), name(crash)));
      }
    }
  }

  /**
   * One call synchronises all that a function stored to a file before the same later store, or
   * before the same rename. A crash that lost the last of it explains the others: a call right
   * behind that store is enough.
   */
  private void joinWithSameCall(List<Crash> crashes) {
    Map<String, List<Crash>> byCall = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.isNotSynchronised())
          .flatMap(CrashGroups::call)
          .ifPresent(call -> byCall.computeIfAbsent(call, one -> new ArrayList<>()).add(crash));
    }
    for (List<Crash> alike : byCall.values()) {
      List<UnfencedStores> stores = alike.stream().map(UnfencedStores::of).toList();
      for (int one = 0; one < alike.size(); one++) {
        for (int other = 0; other < alike.size(); other++) {
          if (!hasArrived(alike.get(one))) {
            groups.join(name(alike.get(one)), name(alike.get(other)));
          } else if (stores.get(one).isBefore(stores.get(other))) {
            groups.join(name(alike.get(one)), name(alike.get(other)));
            explain(alike.get(one), alike.get(other));
          }
        }
      }
    }
  }

  /** Which function lacks the call, for which file, and before what. */
  private static Optional<String> call(JudgedState state) {
    ImageStore lost = state.lost().get(0).store();
    Optional<String> missing =
        state.arrived().isEmpty()
            ? UserCode.of(lost.stack())
                .flatMap(frame -> state.rename().map(name -> function(frame) + " " + name))
            : fence(state);
    return missing.map(call -> lost.file() + " by " + call);
  }

  private static String function(StackFrame frame) {
    return "%s of %s".formatted(frame.function(), frame.module());
  }

  private static boolean isUnflushed(JudgedState.Store store) {
    return store.missing().equals("flush");
  }

  private static Optional<String> fence(JudgedState state) {
    return UserCode.of(state.lost().get(0).store().stack())
        .map(frame -> "%s before %s".formatted(function(frame), arrived(state, frame)));
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

  /**
   * What one call flushed lacks one fence behind it, whatever relies on it first. Beside other
   * mistakes it may not be known what does.
   */
  private void joinWithKnownFence(List<Crash> crashes) {
    Map<List<StackFrame>, List<Crash>> byFlush = new LinkedHashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.lost().get(0).missing().equals("fence"))
          .filter(state -> !causes.containsKey(crash))
          .flatMap(
              state -> crash.evidence().timeline().flatMap(all -> FlushOfLost.calls(state, all)))
          .ifPresent(calls -> byFlush.computeIfAbsent(calls, none -> new ArrayList<>()).add(crash));
    }
    for (List<Crash> alike : byFlush.values()) {
      List<Crash> known = alike.stream().filter(CrashGroups::hasArrived).toList();
      for (Crash crash : alike) {
        known.stream()
            .filter(other -> UnfencedStores.of(other).has(UnfencedStores.of(crash)))
            .findFirst()
            .ifPresent(other -> joinFence(crash, other));
      }
    }
  }

  private static boolean hasArrived(Crash crash) {
    return crash.evidence().state().filter(state -> !state.arrived().isEmpty()).isPresent();
  }

  private void joinFence(Crash crash, Crash known) {
    if (hasArrived(crash)) {
      groups.join(name(crash), name(known));
    } else {
      explain(crash, known);
    }
  }

  /**
   * Recovery fails when several stores are lost together, and one of them is known to be a mistake
   * by itself: were it persisted, there were no such state. Each such state goes by itself: others
   * with its fingerprint may have lost another mistake's store beside the same flag.
   */
  private void joinWithCauses(List<Crash> crashes) {
    Map<CrashPlaces.Line, Crash> byLine = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(JudgedState::hasCause)
          .map(state -> state.lost().get(0))
          .stream()
          .filter(CrashGroups::isNotPersisted)
          .flatMap(store -> CrashPlaces.Line.of(store.store().stack()).stream())
          .forEach(line -> byLine.putIfAbsent(line, crash));
    }
    for (Crash crash : crashes) {
      crash.evidence().state().filter(state -> !state.hasCause()).stream()
          .flatMap(state -> state.lost().stream())
          .filter(CrashGroups::isNotPersisted)
          .flatMap(store -> CrashPlaces.Line.of(store.store().stack()).stream())
          .flatMap(line -> Optional.ofNullable(byLine.get(line)).stream())
          .findFirst()
          .ifPresent(cause -> explain(crash, cause));
    }
  }

  /**
   * That one store has to persist before another is half of the mistake, if the two have to persist
   * as one, be it for another caller. Again, each state goes by itself: the store may be missing
   * beside others as well. One that only seems so, as another shows more, is nobody's other half.
   */
  private void joinWithOtherOrder(List<Crash> crashes) {
    Map<Set<CrashPlaces.Line>, Crash> pairs = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> isAtomicity(state) && state.hasCause() && !state.arrived().isEmpty())
          .filter(state -> !causes.containsKey(crash))
          .ifPresent(state -> pairs.putIfAbsent(pair(state), crash));
    }
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && !isAtomicity(state) && !state.arrived().isEmpty())
          .flatMap(state -> Optional.ofNullable(pairs.get(pair(state))))
          .ifPresent(both -> explain(crash, both));
    }
  }

  /**
   * What relies on a store may have persisted since. Then it seems torn where it is only not
   * persisted in time, and advice for that is known to help there, too.
   */
  private void joinWithLate(List<Crash> crashes) {
    Map<CrashPlaces.Line, Crash> late = new HashMap<>();
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> state.hasCause() && state.adviceVerified())
          .map(state -> state.lost().get(0))
          .filter(CrashGroups::isNotPersisted)
          .flatMap(store -> CrashPlaces.Line.of(store.store().stack()))
          .ifPresent(line -> late.putIfAbsent(line, crash));
    }
    for (Crash crash : crashes) {
      crash
          .evidence()
          .state()
          .filter(state -> isAtomicity(state) && state.mayBeLate())
          .flatMap(state -> CrashPlaces.Line.of(state.lost().get(0).store().stack()))
          .flatMap(line -> Optional.ofNullable(late.get(line)))
          .ifPresent(first -> explain(crash, first));
    }
  }

  /**
   * Another crash shows more of what is wrong with one. Of two that each show more than the other,
   * in one way or another, the first that is known to stays behind.
   */
  private void explain(Crash crash, Crash cause) {
    Set<Crash> explaining = Sets.newIdentityHashSet();
    for (Crash more = cause; more != null; more = causes.get(more)) {
      explaining.add(more);
    }
    if (!explaining.contains(crash)) {
      causes.put(crash, cause);
    }
  }

  private static boolean isAtomicity(JudgedState state) {
    return state.lost().get(0).missing().equals("atomicity");
  }

  /** The lines of what is lost and of what has to have arrived, if anything has to. */
  private static Set<CrashPlaces.Line> pair(JudgedState state) {
    return Stream.concat(state.lost().stream().limit(1), state.arrived().stream().limit(1))
        .flatMap(store -> CrashPlaces.Line.of(store.store().stack()).stream())
        .collect(Collectors.toSet());
  }

  private static boolean isNotPersisted(JudgedState.Store store) {
    return isUnflushed(store) || store.missing().equals("fence");
  }

  /**
   * What stands for a crash. States that lost a store of one place may belong to several findings
   * of program order, if that place is a helper: each then goes with those of its own call stack.
   * One that is all right as soon as the store is persisted shows a mistake of its own.
   */
  private String name(Crash crash) {
    Crash cause = causes.get(crash);
    if (cause != null) {
      return name(cause); // Nothing explains itself, so this ends.
    }
    boolean isFixed = crash.evidence().state().filter(JudgedState::adviceVerified).isPresent();
    if (isFixed && shownInOrder(crash).isEmpty()) {
      return crash.fingerprint();
    }
    Map<List<StackFrame>, String> those = shown.getOrDefault(crash.fingerprint(), Map.of());
    Set<String> roots = those.values().stream().map(groups::of).collect(Collectors.toSet());
    if (roots.size() == 1) {
      return roots.iterator().next();
    }
    return those.getOrDefault(crash.evidence().place(), crash.fingerprint());
  }

  private List<List<Crash>> grouped(List<Crash> crashes) {
    Map<String, List<Crash>> members = new LinkedHashMap<>();
    crashes.forEach(
        crash ->
            members
                .computeIfAbsent(groups.of(name(crash)), unknown -> new ArrayList<>())
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
            .thenComparing(causes::containsKey)
            .thenComparing(Crash::isOnDaxOnly)
            .thenComparing(crash -> crash.evidence().order())
            .thenComparing(crash -> !crash.isOfProgramOrder() && crash.evidence().occurrence() > 1)
            .thenComparing(
                crash -> crash.isOfProgramOrder() ? crash.ordinal().orElse(UNKNOWN) : UNKNOWN));
  }
}
