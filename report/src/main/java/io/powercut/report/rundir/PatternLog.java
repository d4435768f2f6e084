// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.powercut.analysis.PatternKind;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.facts.TraceTotals;
import io.powercut.tree.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The patterns that were found in the trace of a run; {@code patterns.json} holds it. Thousands of
 * them share some stacks, and those share some frames; the file has each once.
 *
 * @param totals the instructions of the trace
 * @param patterns what was found, unique by kind and stacks
 */
public record PatternLog(TraceTotals totals, List<Pattern> patterns) {
  /** Copies the list. */
  public PatternLog {
    patterns = List.copyOf(patterns);
  }

  /**
   * One pattern.
   *
   * @param fingerprint of its kind and the functions of its first place
   * @param evidence what was seen
   */
  public record Pattern(String fingerprint, TraceEvidence evidence) {}

  /** As it is in the file. */
  record Stored(
      TraceTotals totals,
      List<StackFrame> frames,
      List<List<Integer>> stacks,
      List<StoredPattern> patterns) {}

  /** A {@link Pattern} whose places have numbers of stacks. */
  record StoredPattern(
      String fingerprint,
      PatternKind pattern,
      Severity severity,
      String seen,
      List<StoredPlace> places,
      long count,
      Optional<Double> share,
      String file,
      long offset) {}

  /** A {@link TraceEvidence.Place}. */
  record StoredPlace(String role, String instruction, int stack) {}

  /** Things that have a number each, in order of their first use. */
  private static final class Numbered<T> {
    private final Map<T, Integer> numbers = new LinkedHashMap<>();

    int of(T one) {
      Integer number = numbers.putIfAbsent(one, numbers.size());
      return number == null ? numbers.size() - 1 : number;
    }

    List<T> all() {
      return List.copyOf(numbers.keySet());
    }
  }

  @JsonValue
  Stored stored() {
    Numbered<StackFrame> frames = new Numbered<>();
    Numbered<List<Integer>> stacks = new Numbered<>();
    List<StoredPattern> stored = new ArrayList<>();
    for (Pattern pattern : patterns) {
      TraceEvidence evidence = pattern.evidence();
      List<StoredPlace> places = new ArrayList<>();
      for (TraceEvidence.Place place : evidence.places()) {
        int stack = stacks.of(place.stack().stream().map(frames::of).toList());
        places.add(new StoredPlace(place.role(), place.instruction(), stack));
      }
      stored.add(
          new StoredPattern(
              pattern.fingerprint(),
              evidence.pattern(),
              evidence.severity(),
              evidence.seen(),
              places,
              evidence.count(),
              evidence.share(),
              evidence.file(),
              evidence.offset()));
    }
    return new Stored(totals, frames.all(), stacks.all(), stored);
  }

  /**
   * Reads back what {@link #stored} gave.
   *
   * @throws IndexOutOfBoundsException if it uses a number that is not there
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static PatternLog of(Stored stored) {
    List<List<StackFrame>> stacks =
        stored.stacks().stream()
            .map(stack -> stack.stream().map(stored.frames()::get).toList())
            .toList();
    List<Pattern> patterns = new ArrayList<>();
    for (StoredPattern one : stored.patterns()) {
      List<TraceEvidence.Place> places =
          one.places().stream()
              .map(
                  place ->
                      new TraceEvidence.Place(
                          place.role(), place.instruction(), stacks.get(place.stack())))
              .toList();
      patterns.add(
          new Pattern(
              one.fingerprint(),
              new TraceEvidence(
                  one.pattern(),
                  one.severity(),
                  one.seen(),
                  places,
                  one.count(),
                  one.share(),
                  one.file(),
                  one.offset())));
    }
    return new PatternLog(stored.totals(), patterns);
  }
}
