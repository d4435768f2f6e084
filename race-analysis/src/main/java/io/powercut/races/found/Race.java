// SPDX-License-Identifier: Apache-2.0
package io.powercut.races.found;

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
 * @param own of {@link WindowEnd#OVERWRITTEN}: what the writers did about it all the same
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
    List<Tried> tried,
    Own own) {
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

  /**
   * What the threads that stored did once others had stored over that.
   *
   * @param isNever whether none of them persisted it before it stored there again at the same place
   * @param stack where all of them persisted it, if they did so at one place
   * @param step one that did
   */
  public record Own(boolean isNever, Optional<CallStack> stack, Optional<RaceExample.Step> step) {
    /** Some did and some did not, or it is not known. */
    public static final Own UNKNOWN = new Own(false, Optional.empty(), Optional.empty());

    /** None of them did. */
    public static final Own NEVER = new Own(true, Optional.empty(), Optional.empty());

    /** All of them did. */
    public static Own at(CallStack stack, RaceExample.Step step) {
      return new Own(false, Optional.of(stack), Optional.of(step));
    }
  }

  /** The same, given at these places. */
  public Race triedAt(List<Tried> places) {
    return new Race(
        evidence, store, end, ended, load, observations, example, others, overlapped, places, own);
  }

  /**
   * The same as one of stores that were not stored over: persisted where the writers did so, or
   * never persisted.
   */
  public Race asOfTheWriter() {
    return new Race(
        evidence,
        store,
        own.isNever() ? WindowEnd.NEVER : WindowEnd.PERSISTED,
        own.stack(),
        load,
        observations,
        example.endedBy(own.step()),
        others,
        overlapped,
        tried,
        Own.UNKNOWN);
  }

  /** One of the same places: the stronger one, with what both have seen. */
  public Race with(Race other) {
    Race stronger = evidence.compareTo(other.evidence) < 0 ? other : this;
    return new Race(
        stronger.evidence,
        stronger.store,
        end,
        stronger.ended,
        stronger.load,
        observations + other.observations,
        stronger.example,
        stronger.others,
        overlapped || other.overlapped,
        tried,
        own);
  }
}
