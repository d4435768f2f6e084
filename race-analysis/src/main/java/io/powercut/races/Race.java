// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static java.util.Objects.requireNonNull;

import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import java.util.List;
import java.util.Optional;

/**
 * A persistency-induced race. There is one for each places of store, persist and load in the user's
 * code ({@link io.powercut.tree.UserCode}), however many call stacks lead there.
 *
 * @param evidence the strongest that there is
 * @param store the stack of the example; so are the others
 * @param end what ended the time in which a crash could take the store away
 * @param ended where that was: the fence, the flush, the call or the next store; nothing if it did
 *     not end or is not known
 * @param observations how often the load read what could still be lost; a load that the recorder
 *     does not write again does not count again
 * @param example one with that evidence
 * @param others some of other stores, with that evidence or less
 * @param overlapped whether the regions of the two overlapped in time, at least once: nothing but
 *     the time that a few instructions take kept it from being observed
 * @param tried where {@link RaceAnalysis#takeInFlight} gave it, in the order of the trace
 */
public record Race(
    RaceEvidence evidence,
    CallStack store,
    WindowEnd end,
    Optional<CallStack> ended,
    CallStack load,
    long observations,
    RaceExample example,
    List<RaceExample> others,
    boolean overlapped,
    List<Tried> tried) {
  public Race {
    others = List.copyOf(others);
    tried = List.copyOf(tried);
    requireNonNull(evidence, "evidence is null");
    requireNonNull(end, "end is null");
    requireNonNull(example, "example is null");
  }

  /**
   * An occurrence of a failure point.
   *
   * @param number which one, from 1
   */
  public record Tried(FailurePointId id, long number) {}

  /** The same, given at these places. */
  Race triedAt(List<Tried> places) {
    return new Race(
        evidence, store, end, ended, load, observations, example, others, overlapped, places);
  }
}
