// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.campaign.Campaign;
import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.orchestrator.injection.OccurrenceChoice;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.changes.AddedState;
import io.powercut.persistency.changes.AddedStates;
import io.powercut.persistency.changes.WithoutPersists;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashStates;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/**
 * One replay of a trace without the flushes or fences of one call stack. At the occurrences of
 * failure points that the campaign judges while they come, states are judged that are possible only
 * without them.
 */
final class MutantPass implements FailurePointListener {
  /** Of a line with more prefixes, one is taken. */
  private static final int FEW_PREFIXES = 8;

  /** States with equal images are judged once, so more are chosen than judged. */
  private static final int CANDIDATES = 4;

  private final MutantJudge judge;
  private final int statesPerOccurrence;
  private final PmState state;
  private final AcknowledgedLog acknowledged;
  private final CacheLineTracker usual;
  private final CacheLineTracker changed;
  private final WithoutPersists without;
  private final OccurrenceChoice choice;
  private boolean makesDifference;
  private int occurrences;

  /** Ends a pass: nothing more is to be learned. */
  static final class OverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OverException() {
      super("the trial is over", null, false, false);
    }
  }

  /**
   * @param stack the number of the call stack whose flushes or fences are left out
   * @param state the files after set-up
   * @param acknowledged empty
   * @param statesPerOccurrence how many states are judged at one visit that were not judged before
   */
  MutantPass(
      Campaign campaign,
      int stack,
      PmState state,
      AcknowledgedLog acknowledged,
      MutantJudge judge,
      int statesPerOccurrence) {
    this.acknowledged = acknowledged;
    this.judge = judge;
    this.statesPerOccurrence = statesPerOccurrence;
    this.state = state;
    this.usual = new CacheLineTracker(campaign.domain(), state);
    this.changed = new CacheLineTracker(campaign.domain(), state);
    this.without = new WithoutPersists(stack, changed);
    this.choice = new OccurrenceChoice(campaign.occurrences());
  }

  /** Get the trace, in this order, while this is told of failure points. */
  List<TraceConsumer> consumers() {
    return List.of(usual, without, acknowledged, new ProgramOrder(state));
  }

  /**
   * Whether there was a failure point, judged or not, with a state that is not possible usually.
   */
  boolean makesDifference() {
    return makesDifference;
  }

  /** How many of the judged occurrences had one. */
  int occurrences() {
    return occurrences;
  }

  @Override
  public void reached(long ordinal, CallStack stack, Instruction instruction, boolean isNew)
      throws IOException {
    boolean isJudged = choice.isFirst(choice.count(stack.id(), usual.inFlightPlaces()));
    if (without.leftOut() == 0 || (makesDifference && !isJudged)) {
      return;
    }
    CrashStates mutated = CrashStates.of(changed);
    List<AddedState> added =
        AddedStates.of(
            CrashStates.of(usual), mutated, FEW_PREFIXES, CANDIDATES * judge.mostStates());
    if (added.isEmpty()) {
      return;
    }
    makesDifference = true;
    if (isJudged) {
      occurrences++;
      judge(added, mutated, stack, instruction);
    }
  }

  private void judge(
      List<AddedState> added, CrashStates mutated, CallStack stack, Instruction instruction)
      throws IOException {
    try (CrashImage programOrder = state.image()) {
      MutantJudge.Place place =
          new MutantJudge.Place(
              programOrder,
              acknowledged.now(),
              stack,
              instruction,
              judge.trust().at(mutated, programOrder));
      int taken = 0;
      Iterator<AddedState> next = added.iterator();
      while (taken < statesPerOccurrence && next.hasNext()) {
        taken += judge.judge(place, next.next()) ? 1 : 0;
      }
    }
    if (judge.isOver()) {
      throw new OverException();
    }
  }
}
