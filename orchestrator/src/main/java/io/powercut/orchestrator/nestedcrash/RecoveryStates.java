// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.exploration.AdviceQuestions;
import io.powercut.orchestrator.exploration.KnownCulprits;
import io.powercut.orchestrator.exploration.StateExplorer;
import io.powercut.orchestrator.exploration.StateOptions;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.choice.ChoiceOptions;
import io.powercut.persistency.choice.StateChoice;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.replay.TraceTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The crash states that a cut may leave beside program order, of one recovery. As for the target,
 * but all failure points of a recovery get the same share, and none is searched for. For one
 * thread.
 */
public final class RecoveryStates {
  private final Workplace workplace;
  private final Judging judging;
  private final Optional<RecoveryReads> reads;
  private final StateChoice choice;
  private final boolean isCacheFlushed;
  private final List<StateVerdicts> explored = new ArrayList<>();

  /** By the tables of each recorded step: the numbers of its stores mean nothing elsewhere. */
  private final Map<TraceTables, StateExplorer> explorers = new HashMap<>();

  /**
   * What is wanted.
   *
   * @param choice of states; as many at each failure point as it says
   * @param reads says which lines recovery reads; nothing if all states are judged
   * @param isCacheFlushed whether instructions persist something in the target's whole run: then
   *     recovery does not leave that to system calls
   */
  public record Options(
      ChoiceOptions choice, Optional<RecoveryReads> reads, boolean isCacheFlushed) {}

  /**
   * @param judging of images of the target; its results do not get what is found here
   */
  RecoveryStates(Workplace workplace, Judging judging, Options options) {
    this.workplace = workplace;
    this.reads = options.reads();
    this.choice = new StateChoice(options.choice());
    this.isCacheFlushed = options.isCacheFlushed();
    this.judging =
        new Judging(
            judging.judge(),
            judging.images().ofAnotherTrace(),
            judging.identity(),
            judging.budget(),
            new ResultListener() {
              @Override
              public void judged(Judgement judgement) {}

              @Override
              public void explored(StateVerdicts verdicts) {
                explored.add(verdicts);
              }
            });
  }

  /** Remembers the program-order image at each failure point, in the order of recovery. */
  void pass(CutPlace place, ImageHash hash) {
    judging.images().pass(hash, new Occurrence(place.id(), place.occurrence()));
  }

  /** What a cut of recovery may leave, if the target persists as it does. */
  CrashStates possible(CrashStates states) {
    return isCacheFlushed ? states.inFrontOfFlush() : states;
  }

  /** The states to judge at the next failure point. */
  Candidates choose(CrashStates states) {
    return choice.choose(states, StateShare.FURTHER);
  }

  /** What is worth to be known of the run that judges program order at a cut. */
  Optional<ReadsWatch> watch(CrashPoint cut, TraceTables tables) {
    return explorer(tables).watch(cut);
  }

  /**
   * Judges the candidates of a cut.
   *
   * @param cut at which recovery succeeds on program order
   * @param places where images are made
   * @param watch of the run that judged program order
   */
  StateVerdicts explore(
      CrashPoint cut, TraceTables tables, RecordedImages places, Optional<ReadsWatch> watch) {
    explored.clear();
    explorer(tables).explore(cut, places, watch);
    return explored.get(0);
  }

  private StateExplorer explorer(TraceTables tables) {
    return explorers.computeIfAbsent(
        tables,
        unknown ->
            new StateExplorer(
                workplace,
                judging,
                new StateOptions(reads, Searches.none()),
                tables,
                new KnownCulprits(),
                new AdviceQuestions()));
  }
}
