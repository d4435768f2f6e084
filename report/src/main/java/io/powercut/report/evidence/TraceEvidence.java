// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.analysis.PatternKind;
import io.powercut.tree.Severity;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A pattern of misuse in the trace.
 *
 * @param pattern its kind, such as {@code REDUNDANT_FLUSH}; docs/patterns.md explains each
 * @param severity how much the pattern claims by itself
 * @param seen what was seen and what to do, in words
 * @param places the instructions involved, the one to look at first at the start; never empty
 * @param count how often
 * @param share for a redundant flush or fence: its part of all flushes or fences of the run, 0 to 1
 * @param file the PM file of the first time, empty for volatile memory
 * @param offset the place in that file
 */
public record TraceEvidence(
    PatternKind pattern,
    Severity severity,
    String seen,
    List<Place> places,
    long count,
    Optional<Double> share,
    String file,
    long offset)
    implements Evidence {
  /** Copies the list. */
  public TraceEvidence {
    places = List.copyOf(places);
  }

  @Override
  public List<StackFrame> stack() {
    return places.get(0).stack();
  }

  /**
   * An instruction that takes part.
   *
   * @param role what it does there, for example {@code store} or {@code earlier flush}
   * @param instruction for example {@code clwb}
   * @param stack its call stack, innermost first
   */
  public record Place(String role, String instruction, List<StackFrame> stack) {
    /** Copies the list. */
    public Place {
      stack = List.copyOf(stack);
    }
  }

  @Override
  public <R> R match(
      Function<InjectionEvidence, R> injection,
      Function<TraceEvidence, R> trace,
      Function<PersistencyRace, R> race,
      Function<DataRace, R> dataRace) {
    return trace.apply(this);
  }
}
