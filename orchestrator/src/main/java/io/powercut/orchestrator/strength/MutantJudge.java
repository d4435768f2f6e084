// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import com.google.common.primitives.Ints;
import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.SharedVerdicts;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.persistency.changes.AddedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.CallStack;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Asks recovery about the states that a missing flush or fence adds, until one is broken because of
 * it, or there were enough.
 */
final class MutantJudge {
  /**
   * Where the power is cut.
   *
   * @param programOrder the image there
   * @param acknowledged what the target had told there
   * @param stack of the failure point
   * @param instruction at the failure point
   */
  record Place(
      CrashImage programOrder,
      Optional<Acknowledgement> acknowledged,
      CallStack stack,
      Instruction instruction) {}

  private final RecordedImages workspace;
  private final SharedVerdicts verdicts;
  private final Budget budget;
  private final int mostStates;
  private final Set<VerdictCache.Key> seen = new HashSet<>();
  private int consistent;
  private int spoilt;
  private int inconclusive;
  private boolean outOfTime;
  private Optional<MutantResult.Catch> killed = Optional.empty();

  /**
   * @param workspace the calling thread's
   * @param mostStates how many states are judged
   */
  MutantJudge(RecordedImages workspace, SharedVerdicts verdicts, Budget budget, int mostStates) {
    this.workspace = workspace;
    this.verdicts = verdicts;
    this.budget = budget;
    this.mostStates = mostStates;
  }

  /** Whether nothing more is to be learned. */
  boolean isOver() {
    return killed.isPresent() || outOfTime || states() >= mostStates;
  }

  /** How many different states it judges at most. */
  int mostStates() {
    return mostStates;
  }

  /** How many different states were judged. */
  int states() {
    return seen.size();
  }

  /**
   * Judges a state, unless it is over or an equal one was judged.
   *
   * @return whether it was judged
   */
  boolean judge(Place place, AddedState added) throws IOException {
    outOfTime |= !budget.isTimeLeft();
    if (isOver()) {
      return false;
    }
    try (CrashImage image = place.programOrder().with(added.state())) {
      if (!seen.add(VerdictCache.Key.of(image.hash(), place.acknowledged()))) {
        return false;
      }
      Judgement judgement = verdicts.of(image, place.stack().id(), place.acknowledged(), workspace);
      if (judgement.isBug()) {
        judgeCounterpart(place, added, judgement);
      } else if (judgement.kind() == Verdict.Kind.INCONCLUSIVE) {
        inconclusive++;
      } else {
        consistent++;
      }
    }
    return true;
  }

  private void judgeCounterpart(Place place, AddedState added, Judgement broken)
      throws IOException {
    try (CrashImage counterpart = place.programOrder().with(added.counterpart())) {
      Judgement usually =
          verdicts.of(counterpart, place.stack().id(), place.acknowledged(), workspace);
      if (usually.kind() == Verdict.Kind.CONSISTENT) {
        int lines = Ints.saturatedCast(added.state().size());
        killed =
            Optional.of(new MutantResult.Catch(place.stack(), place.instruction(), lines, broken));
      } else {
        spoilt++;
      }
    }
  }

  /**
   * What came of it.
   *
   * @param makesDifference whether any state was possible only without the flush or fence
   * @param occurrences at how many judged occurrences
   */
  MutantResult result(boolean makesDifference, int occurrences) {
    return new MutantResult(
        makesDifference, occurrences, consistent, spoilt, inconclusive, !outOfTime, killed);
  }
}
