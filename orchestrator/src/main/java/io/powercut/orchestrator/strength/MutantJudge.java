// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import com.google.common.primitives.Ints;
import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.exploration.WatchedStates;
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
import java.util.function.Consumer;

/**
 * Asks recovery about the states that a missing flush or fence adds, until one is broken because of
 * it, or there were enough. Where recovery does not read in what they differ, one is asked for all.
 */
final class MutantJudge {
  /**
   * Where the power is cut.
   *
   * @param programOrder the image there
   * @param acknowledged what the target had told there
   * @param stack of the failure point
   * @param instruction at the failure point
   * @param watched the states without the flush or fence
   */
  record Place(
      CrashImage programOrder,
      Optional<Acknowledgement> acknowledged,
      CallStack stack,
      Instruction instruction,
      WatchedStates watched) {}

  private final RecordedImages workspace;
  private final SharedVerdicts verdicts;
  private final WatchedStates.Trust trust;
  private final Budget budget;
  private final int mostStates;
  private final Consumer<CallStack> deviations;
  private final Set<VerdictCache.Key> seen = new HashSet<>();
  private int consistent;
  private int unread;
  private int spoilt;
  private int inconclusive;
  private boolean outOfTime;
  private Optional<MutantResult.Catch> killed = Optional.empty();

  /**
   * @param workspace the calling thread's
   * @param trust in what recovery reads
   * @param mostStates how many states are judged
   * @param deviations told where recovery did other than on data that are the same for it
   */
  MutantJudge(
      RecordedImages workspace,
      SharedVerdicts verdicts,
      WatchedStates.Trust trust,
      Budget budget,
      int mostStates,
      Consumer<CallStack> deviations) {
    this.workspace = workspace;
    this.verdicts = verdicts;
    this.trust = trust;
    this.budget = budget;
    this.mostStates = mostStates;
    this.deviations = deviations;
  }

  /** Whether nothing more is to be learned. */
  boolean isOver() {
    return killed.isPresent() || outOfTime || states() >= mostStates;
  }

  /** In what recovery reads. */
  WatchedStates.Trust trust() {
    return trust;
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
      if (place.watched().succeedsOn(added.state())) {
        accepted(place, added);
      } else {
        judge(place, added, image);
      }
    }
    return true;
  }

  private void judge(Place place, AddedState added, CrashImage image) throws IOException {
    // Most mutants that are killed are killed by the first state. Where recovery does not succeed
    // under watch, it runs again without: that takes as long as it may where it hangs.
    Optional<ReadsWatch> watch = states() > 1 ? place.watched().watch() : Optional.empty();
    Judgement judgement =
        verdicts.of(image, place.stack().id(), place.acknowledged(), workspace, watch);
    RecordedImages.Copies copies = workspace.of(image, place.acknowledged());
    if (!place.watched().judged(added.state(), watch, judgement.kind(), copies)) {
      deviations.accept(place.stack());
    }
    if (judgement.isBug()) {
      judgeCounterpart(place, added, judgement);
    } else if (judgement.kind() == Verdict.Kind.CONSISTENT) {
      accepted(place, added);
    } else {
      inconclusive++;
    }
  }

  private void accepted(Place place, AddedState added) {
    consistent++;
    unread += place.watched().areAlike(added.state(), added.counterpart()) ? 1 : 0;
  }

  private void judgeCounterpart(Place place, AddedState added, Judgement broken)
      throws IOException {
    try (CrashImage counterpart = place.programOrder().with(added.counterpart())) {
      Judgement usually =
          verdicts.of(
              counterpart, place.stack().id(), place.acknowledged(), workspace, Optional.empty());
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
        makesDifference, occurrences, consistent, unread, spoilt, inconclusive, !outOfTime, killed);
  }
}
