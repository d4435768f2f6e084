// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

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
 * @param sites of the stores that crash states lost, or that arrived
 * @param isCalledAfterState whether the finding is called after a crash state
 */
public record CrashPlaces(
    Set<CrashPlaces.Line> lines,
    Set<CrashPlaces.Line> lost,
    Set<CrashPlaces.Site> sites,
    boolean isCalledAfterState) {
  /** Copies the sets. */
  public CrashPlaces {
    lines = Set.copyOf(lines);
    lost = Set.copyOf(lost);
    sites = Set.copyOf(sites);
  }

  /** An instruction, which may be one of a library, and the line of the user's code behind it. */
  public record Site(String module, String offset, Optional<Line> line) {
    static Stream<Site> of(List<StackFrame> stack) {
      return stack.stream()
          .limit(1)
          .filter(frame -> !frame.offset().isEmpty())
          .map(frame -> new Site(frame.module(), frame.offset(), Line.of(stack)));
    }
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
    Set<Site> sites = new HashSet<>();
    for (Crash crash : crashes) {
      blamed(crash.evidence())
          .distinct()
          .flatMap(stack -> Line.of(stack).stream())
          .forEach(lines::add);
      crash.evidence().state().stream()
          .flatMap(state -> state.lost().stream())
          .flatMap(store -> Line.of(store.store().stack()).stream())
          .forEach(lost::add);
      crash.evidence().state().stream()
          .flatMap(state -> Stream.concat(state.lost().stream(), state.arrived().stream()))
          .flatMap(store -> Site.of(store.store().stack()))
          .forEach(sites::add);
    }
    return new CrashPlaces(lines, lost, sites, crashes.get(0).evidence().state().isPresent());
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

  /**
   * Whether a pattern is about the same stores or lines, and can be the reason. In what order
   * stores persist, and what else is flushed, is none in program order, where all stores are there.
   * What other instructions stored is none in a crash state: a library does much with its own data
   * for a call that also stores what is lost.
   */
  public boolean areOf(TraceEvidence pattern) {
    return switch (pattern.pattern()) {
      case NOT_PERSISTED -> areAt(pattern);
      case UNORDERED_FENCE -> isCalledAfterState && areAt(pattern);
      case DIRTY_OVERWRITE, MULTI_STORE_FLUSH ->
          isCalledAfterState
              && pattern.places().stream()
                  .flatMap(place -> Site.of(place.stack()))
                  .anyMatch(sites::contains);
      case TRANSIENT_DATA, REDUNDANT_FLUSH, REDUNDANT_FENCE -> false;
    };
  }

  private boolean areAt(TraceEvidence pattern) {
    return pattern.places().stream()
        .flatMap(place -> Line.of(place.stack()).stream())
        .anyMatch(lines::contains);
  }
}
