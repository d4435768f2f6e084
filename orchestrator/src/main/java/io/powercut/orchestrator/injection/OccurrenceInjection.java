// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.choice.ChoiceOptions;
import io.powercut.persistency.choice.StateChoice;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.choice.UnusualCode;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.TraceConsumer;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Has occurrences judged that a pass reaches, with the crash states that are chosen there. */
final class OccurrenceInjection {
  private final Scope scope;
  private final Extent extent;
  private final Map<Occurrence, Judgement> judged;
  private final Judging judging;
  private final PlacesInTrace places;
  private final StateChoice stateChoice;

  /**
   * Of occurrences for which there happened to be time: they must not change what is chosen at
   * others.
   */
  private final StateChoice furtherStateChoice;

  /** Whether an occurrence was left out, for the budget was spent while others still waited. */
  private boolean isCutShort;

  /**
   * @param judged the verdicts of an earlier part of the run
   * @param places is told where occurrences are
   */
  OccurrenceInjection(
      Scope scope,
      Extent extent,
      Map<Occurrence, Judgement> judged,
      Judging judging,
      PlacesInTrace places,
      ChoiceOptions options) {
    this.scope = scope;
    this.extent = extent;
    this.judged = judged;
    this.judging = judging;
    this.places = places;
    this.stateChoice = new StateChoice(options);
    this.furtherStateChoice = StateChoice.ofFurther(options);
  }

  /** What gets each record of a pass, after the failure-point detector. */
  List<TraceConsumer> followers(Pass pass) {
    return pass.followers(extent.needsInFlight(), scope.budget());
  }

  /**
   * An occurrence that a pass has reached.
   *
   * @param ordinal of its record
   * @param instruction before which it is
   * @param losses what changes of metadata may be undone there
   */
  record Reached(
      Occurrence occurrence, long ordinal, Instruction instruction, MetadataLosses losses) {}

  /**
   * Has an occurrence judged, unless that was done already.
   *
   * @param share of the states
   * @param unusual code whose stores are in flight there and usually are not
   * @throws BudgetSpentException if the budget is spent
   */
  void inject(Reached reached, Pass pass, StateShare share, UnusualCode unusual)
      throws IOException {
    Occurrence occurrence = reached.occurrence();
    places.reached(occurrence, reached.ordinal());
    CrashStates inFlight =
        extent.states().isPresent() ? CrashStates.of(pass.pending()) : CrashStates.NONE;
    CrashStates possible =
        reached.instruction().isForCaches() ? inFlight.inFrontOfFlush() : inFlight;
    // It sees every occurrence, so that parts of a run find what the whole would.
    StateChoice choice = share == StateShare.FURTHER ? furtherStateChoice : stateChoice;
    Candidates candidates = choice.choose(possible, share, unusual);
    Beside beside = new Beside(possible, candidates, reached.losses());
    judging.images().pass(pass.state().hash(), occurrence);
    boolean isExplored = isExplored(occurrence);
    boolean isToExplore = !isExplored && pass.workers().explores(beside);
    Optional<Judgement> verdict = Optional.ofNullable(judged.get(occurrence));
    Due due =
        Due.of(
            verdict,
            isToExplore,
            verdict.filter(known -> pass.chosen().mayWant(known, occurrence)).isPresent());
    if (due == Due.NOTHING || !scope.wanted().test(occurrence.id())) {
      beside.close();
      return;
    }
    if (extent.states().isPresent() && !isToExplore && !isExplored) {
      judging.results().explored(StateVerdicts.none(occurrence, possible.isEmpty()));
    }
    if (isCutShort(pass)) {
      beside.close();
      return;
    }
    pass.workers().check();
    if (due == Due.IMAGE) {
      scope.budget().spendImage();
    }
    if (due == Due.BESIDE_THE_IMAGE && isExplored) {
      beside.close();
      pass.submit(occurrence, due, Beside.NOTHING);
    } else {
      pass.submit(occurrence, due, beside);
    }
  }

  /** Whether an earlier part of the run has judged the states there, advice included. */
  private boolean isExplored(Occurrence occurrence) {
    return extent
        .states()
        .flatMap(log -> log.find(occurrence))
        .filter(known -> known.isSettled() && known.isAdvised())
        .isPresent();
  }

  /**
   * Whether the budget is spent and others still wait, which have been paid for.
   *
   * @throws BudgetSpentException if it is spent and none waits
   */
  private boolean isCutShort(Pass pass) {
    Budget budget = scope.budget();
    if (budget.isLeft()) {
      return false;
    }
    if (pass.isAwaited()) {
      isCutShort = true;
      return true;
    }
    pass.workers().finish(budget);
    throw new BudgetSpentException();
  }

  /**
   * Behind the target's last instruction: what nothing persisted may still be lost. The
   * program-order image is that of a clean exit, which has its control.
   */
  void injectAtTheEnd(Pass pass) throws IOException {
    CrashStates possible = CrashStates.of(pass.pending());
    Beside beside =
        new Beside(possible, stateChoice.choose(possible, StateShare.END), pass.lossesAtTheEnd());
    judging.images().pass(pass.state().hash(), Occurrence.END);
    boolean isSettled =
        extent
            .states()
            .orElseThrow()
            .find(Occurrence.END)
            .filter(StateVerdicts::isSettled)
            .isPresent();
    if (isSettled || !scope.wanted().test(Occurrence.END.id())) {
      beside.close();
      return;
    }
    if (!pass.workers().explores(beside)) {
      judging.results().explored(StateVerdicts.none(Occurrence.END, possible.isEmpty()));
      return;
    }
    judging.results().explored(StateVerdicts.pending(Occurrence.END));
    pass.submit(Occurrence.END, Due.BESIDE_THE_IMAGE, beside);
  }

  /**
   * Waits until all that a pass submitted is judged.
   *
   * @throws BudgetSpentException if an occurrence was left out for the budget
   */
  void finish(Pass pass) throws IOException {
    pass.finish(scope.budget());
    if (isCutShort) {
      throw new BudgetSpentException();
    }
  }
}
