// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.analysis.PatternKind;
import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.tree.UserCode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The lines of the user's code that crashes are about, which tell whether a pattern in the trace
 * can be their reason.
 *
 * @param lines of the stores to blame, and of the failure points of program order with the stores
 *     that their images lack
 * @param lost of the stores that crash states lost
 * @param states whether a crash state is among them
 */
public record CrashPlaces(Set<CrashPlaces.Line> lines, Set<CrashPlaces.Line> lost, boolean states) {
  /** Patterns that can be why a crash could not be recovered from. */
  private static final Set<PatternKind> OF_CORRECTNESS =
      Set.of(PatternKind.NOT_PERSISTED, PatternKind.DIRTY_OVERWRITE, PatternKind.UNORDERED_FENCE);

  /** The pattern that can be why stores to one line persisted one without the other. */
  private static final PatternKind OF_ATOMICITY = PatternKind.MULTI_STORE_FLUSH;

  /** Copies the sets. */
  public CrashPlaces {
    lines = Set.copyOf(lines);
    lost = Set.copyOf(lost);
  }

  /** A line of source, or an instruction of which no source is known. */
  public record Line(String file, int line, String offset) {
    /** That of the user's code in a stack; nothing if there is none. */
    public static Optional<Line> of(List<StackFrame> stack) {
      return UserCode.of(stack)
          .map(
              frame ->
                  frame.line() > 0
                      ? new Line(frame.file(), frame.line(), "")
                      : new Line(frame.module(), 0, frame.offset()));
    }
  }

  /** The lines of crashes that show one mistake. */
  public static CrashPlaces of(List<Crash> crashes) {
    Set<Line> lines = new HashSet<>();
    Set<Line> lost = new HashSet<>();
    boolean states = false;
    for (Crash crash : crashes) {
      blamed(crash.evidence())
          .distinct()
          .flatMap(stack -> Line.of(stack).stream())
          .forEach(lines::add);
      crash.evidence().state().stream()
          .flatMap(state -> state.lost().stream())
          .flatMap(store -> Line.of(store.store().stack()).stream())
          .forEach(lost::add);
      states |= crash.evidence().state().isPresent();
    }
    return new CrashPlaces(lines, lost, states);
  }

  private static Stream<List<StackFrame>> blamed(InjectionEvidence evidence) {
    if (evidence.recoveryCrash().isPresent()) {
      return Stream.empty();
    }
    return evidence
        .state()
        .map(
            state ->
                Stream.concat(state.lost().stream(), state.arrived().stream())
                    .map(JudgedState.Store::store)
                    .map(ImageStore::stack))
        .or(() -> evidence.lostMetadata().map(lost -> Stream.of(lost.first().stack())))
        .orElseGet(() -> Stream.concat(Stream.of(evidence.stack()), lacking(evidence)));
  }

  /** In program order the stores are to blame that come too late, or too early. */
  private static Stream<List<StackFrame>> lacking(InjectionEvidence evidence) {
    return Stream.concat(
            evidence.changes().lacks().stream().flatMap(lacks -> lacks.stores().stream()),
            evidence.changes().tooEarly().map(EarlyStore::store).stream())
        .map(ImageStore::stack);
  }

  /** Whether crash states lost the store that a thread read too early. */
  public boolean lost(PersistencyRace race) {
    return Line.of(race.store().stack()).map(lost::contains).orElse(false);
  }

  /** Whether a data race is between the store and the load of one of these races. */
  public static boolean areSame(DataRace race, List<PersistencyRace> known) {
    Set<Line> lines = linesOf(race.first().stack(), race.second().stack());
    return race.confirmed()
        && !lines.isEmpty()
        && known.stream()
            .anyMatch(one -> linesOf(one.store().stack(), one.load().stack()).equals(lines));
  }

  /** Nothing if a place is not known. */
  private static Set<Line> linesOf(List<StackFrame> one, List<StackFrame> other) {
    Optional<Line> first = Line.of(one);
    Optional<Line> second = Line.of(other);
    return first.isPresent() && second.isPresent()
        ? new HashSet<>(List.of(first.get(), second.get()))
        : Set.of();
  }

  /** Whether a pattern is about the same stores or lines, and can be the reason. */
  public boolean areOf(TraceEvidence pattern) {
    boolean canBeReason =
        OF_CORRECTNESS.contains(pattern.pattern()) || (states && pattern.pattern() == OF_ATOMICITY);
    return canBeReason
        && pattern.places().stream()
            .flatMap(place -> Line.of(place.stack()).stream())
            .anyMatch(lines::contains);
  }
}
