// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.AcknowledgedOutput.EarlyOutput;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which crashes in program order show one mistake: those in one window on which recovery does the
 * same, and those that a store too early explains. And which of these shows what a crash state
 * shows: one with the same image, in the window before or after it, one that is known to show what
 * the state lost, or one where the same store is too early.
 */
final class ProgramOrder {
  /** After all that is known. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private final Groups groups;
  private final List<Crash> inOrder;

  /** Fingerprints of program order by their images and windows. */
  private final Map<String, String> byImage = new HashMap<>();

  /** Of the crash states that program order shows, too: what it is there, by fingerprint. */
  private final Map<String, Map<List<StackFrame>, String>> shown = new HashMap<>();

  /** By the calls that led to a lost store: what was stored to its line beside it. */
  private final Map<List<CrashPlaces.Line>, Set<CrashPlaces.Line>> beside = new HashMap<>();

  /** Who wrote outputs that came too early. */
  private final Set<List<StackFrame>> earlyOutputs;

  /** Fingerprints of what was written to a file, and is all right once that is synchronised. */
  private final Set<String> unsynchronised;

  /**
   * Joins what program order shows.
   *
   * @param groups gets the fingerprints that show one mistake
   */
  ProgramOrder(List<Crash> crashes, Groups groups) {
    this.groups = groups;
    this.inOrder =
        crashes.stream()
            .filter(Crash::isOfProgramOrder)
            .sorted(Comparator.comparing(crash -> crash.ordinal().orElse(UNKNOWN)))
            .toList();
    this.unsynchronised =
        crashes.stream()
            .filter(
                crash -> crash.evidence().state().filter(ProgramOrder::isSynchronised).isPresent())
            .map(Crash::fingerprint)
            .collect(Collectors.toSet());
    this.earlyOutputs =
        inOrder.stream()
            .flatMap(crash -> crash.evidence().tooEarlyOutput().stream())
            .map(EarlyOutput::stack)
            .collect(Collectors.toUnmodifiableSet());
    joinWindows();
    joinCalls();
    crashes.forEach(this::findBeside);
    crashes.forEach(this::find);
  }

  /**
   * In a window, recovery fails for one mistake until it would succeed again without another store
   * that is there too early: from there on, it fails for another one. What is known of the first
   * crash with a fingerprint holds for the others; they may be in a helper that others call, too.
   * The same store is too early for one reason, whatever recovery does because of it.
   */
  private void joinWindows() {
    Map<String, List<CrashPlaces.Line>> known = new HashMap<>();
    Map<Integer, List<CrashPlaces.Line>> tooEarly = new HashMap<>();
    Map<Integer, Integer> mistakes = new HashMap<>();
    for (Crash crash : inOrder) {
      if (!tooEarly(crash).isEmpty()) {
        List<CrashPlaces.Line> first =
            known.computeIfAbsent(crash.fingerprint(), none -> tooEarly(crash));
        if (first.equals(tooEarly(crash))) {
          groups.join(crash.fingerprint(), "too early " + callsOfTooEarly(crash));
        }
      }
      if (crash.window().isPresent()) {
        int window = crash.window().get().number();
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

  /**
   * A call comes too early. Recovery may do something else in each half of what it does, as long as
   * it fails nowhere else in the window: there may be another mistake. Without a store of the call
   * it has to succeed once. One line may make one call or another: these are two mistakes, unless
   * they are in one window.
   */
  private void joinCalls() {
    Map<Integer, Set<Optional<CallTooEarly>>> byWindow = new HashMap<>();
    for (Crash crash : inOrder) {
      crash
          .window()
          .ifPresent(
              window ->
                  byWindow
                      .computeIfAbsent(window.number(), none -> new HashSet<>())
                      .add(CallTooEarly.of(crash)));
    }
    Set<CallTooEarly> proved =
        inOrder.stream()
            .filter(CallTooEarly::isProved)
            .flatMap(crash -> CallTooEarly.of(crash).stream())
            .collect(Collectors.toSet());
    for (Crash crash : inOrder) {
      Set<Optional<CallTooEarly>> all =
          crash.window().map(window -> byWindow.get(window.number())).orElse(Set.of());
      CallTooEarly.of(crash)
          .filter(call -> proved.contains(call) && all.equals(Set.of(Optional.of(call))))
          .ifPresent(
              call -> {
                int window = crash.window().orElseThrow().number();
                groups.join(
                    crash.fingerprint(),
                    "call too early " + call + " of " + CallTooEarly.called(crash));
                groups.join(crash.fingerprint(), "call too early " + call + " in " + window);
              });
    }
  }

  /**
   * Not every occurrence is judged, so the store that is there too early may be known of another
   * window alone: of a crash on which recovery did the same. Nothing if more is known of this one.
   */
  Optional<Crash> behindSameStore(Crash crash) {
    return inOrder.stream()
        .filter(other -> crash.isOfProgramOrder() && !isExplained(crash))
        .filter(other -> other.reason().equals(crash.reason()) && !tooEarly(other).isEmpty())
        .filter(other -> new StoreUnderWay(tooEarly(other), ProgramOrder::calls).isAt(crash))
        .findFirst();
  }

  private boolean isExplained(Crash crash) {
    return inOrder.stream()
        .filter(other -> !tooEarly(other).isEmpty())
        .anyMatch(other -> groups.of(other.fingerprint()).equals(groups.of(crash.fingerprint())));
  }

  private List<CrashPlaces.Line> tooEarly(Crash crash) {
    return calls(stackOfEarly(crash));
  }

  /**
   * Who made what is there too early. An output that is known to come too early does so wherever
   * recovery succeeds without it.
   */
  private List<StackFrame> stackOfEarly(Crash crash) {
    return crash
        .evidence()
        .acknowledged()
        .flatMap(AcknowledgedOutput::tooEarly)
        .map(EarlyOutput::stack)
        .filter(earlyOutputs::contains)
        .orElseGet(crash.evidence().changes()::stackOfEarly);
  }

  /**
   * Of the call stack every line, wherever the compiler put its code, and whatever it called it.
   */
  private List<CrashPlaces.Line> callsOfTooEarly(Crash crash) {
    return stackOfEarly(crash).stream()
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
   * the same. Not so what was written to a file, if its synchronisation is all that the state
   * lacks: a write that comes later is synchronised no sooner, so that takes two changes.
   */
  private Optional<String> tooEarlyElsewhere(Crash crash, JudgedState state) {
    if (state.isWrittenOnly() && unsynchronised.contains(crash.fingerprint())) {
      return Optional.empty();
    }
    List<CrashPlaces.Line> lost = calls(state.lost().get(0).store().stack());
    return inOrder.stream()
        .filter(early -> !lost.isEmpty() && tooEarly(early).equals(lost))
        .findFirst()
        .or(() -> inOrder.stream().filter(early -> isBeside(tooEarly(early), lost)).findFirst())
        .map(Crash::fingerprint);
  }

  /** Whether verified advice is to synchronise what was written. */
  private static boolean isSynchronised(JudgedState state) {
    return state.isWrittenOnly() && state.adviceVerified();
  }

  /**
   * What is lost as nothing flushes it comes behind the transaction that it belongs to: to make it
   * there persists it, too.
   */
  private Optional<String> behindTransaction(JudgedState state) {
    List<CrashPlaces.Line> lost = calls(state.lost().get(0).store().stack());
    return inOrder.stream()
        .filter(early -> state.hasCause() && state.lost().get(0).isUnflushed())
        .filter(
            early ->
                early
                    .evidence()
                    .changes()
                    .behindTransaction()
                    .filter(store -> !lost.isEmpty() && calls(store.stack()).equals(lost))
                    .isPresent())
        .findFirst()
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
        .filter(state -> state.hasCause() && !state.lost().get(0).isUnfenced())
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
    shows(crash)
        .ifPresent(
            fingerprint ->
                shown
                    .computeIfAbsent(crash.fingerprint(), unknown -> new HashMap<>())
                    .putIfAbsent(crash.evidence().place(), fingerprint));
  }

  /** The fingerprint of program order that shows the mistake of a state. */
  Optional<String> shows(Crash crash) {
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
                    .or(() -> tooEarlyElsewhere(crash, state))
                    .or(() -> behindTransaction(state))
                    .or(() -> stillHeld(crash, state)));
  }

  /**
   * A lock that the power cut left held is one mistake, whether its release comes later or is lost:
   * recovery waits for it all the same.
   */
  private Optional<String> stillHeld(Crash crash, JudgedState state) {
    return inOrder.stream()
        .filter(held -> state.hasCause() && state.lost().size() == 1)
        .filter(
            held -> held.evidence().isOfLockHeldAt(crash.evidence(), state.lost().get(0).store()))
        .findFirst()
        .map(Crash::fingerprint);
  }

  private Optional<String> sameImage(Crash crash) {
    if (crash.imageHash().isEmpty() || crash.window().isEmpty()) {
      return Optional.empty();
    }
    int window = crash.window().get().number();
    return Stream.of(window, window + 1)
        .flatMap(
            either ->
                Optional.ofNullable(byImage.get(image(crash.imageHash().get(), either))).stream())
        .findFirst();
  }

  /**
   * The failure point may have been passed often, and shown several things. Not every occurrence is
   * judged: else the next one on which recovery does the same.
   */
  private Optional<Crash> lastBefore(Crash crash, FailurePointId id) {
    long end = crash.ordinal().orElse(UNKNOWN);
    List<Crash> there =
        inOrder.stream().filter(one -> one.evidence().failurePointId().equals(id)).toList();
    return there.stream()
        .filter(earlier -> earlier.ordinal().orElse(0L) <= end)
        .max(Comparator.comparing(earlier -> earlier.ordinal().orElse(0L)))
        .or(() -> there.stream().filter(one -> one.reason().equals(crash.reason())).findFirst());
  }

  /**
   * What program order shows of the states with the fingerprint of a crash: the groups of these.
   */
  Set<String> groupsOf(Crash crash) {
    return shown.getOrDefault(crash.fingerprint(), Map.of()).values().stream()
        .map(groups::of)
        .collect(Collectors.toSet());
  }

  /** What program order shows of the state at the place of this one, if it does. */
  Optional<String> showsAtPlaceOf(Crash crash) {
    return Optional.ofNullable(
        shown.getOrDefault(crash.fingerprint(), Map.of()).get(crash.evidence().place()));
  }
}
