// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.TargetFailedException;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a target again whose threads ran one after the other in the recorded run, since nearly all
 * that they share then looks like initialisation (HawkSet, section 3.1.3). So it is where one
 * thread did all that others could have done, such as those of a pool. What threads hand over looks
 * like that, too, if it was persisted before the other one came to it. In this run they pause, and
 * so take turns. A crash is tried for the races that happen there.
 */
public final class OtherOrder {
  /** Which of the orders it is. */
  static final int NUMBER = 1;

  private static final String ONE_AFTER_THE_OTHER =
      "the threads used PM one after the other, or one of them alone:"
          + " looking for races in an order in which they take turns";

  private static final String HANDING_OVER =
      "threads hand over what they stored: looking for races in an order in which they pause";

  private final Campaign campaign;
  private final OrderedRun runs;
  private final Workplace workplace;
  private final Scope scope;

  /**
   * @param runs runs the target
   * @param scope which failure points, and what that may cost
   */
  public OtherOrder(Campaign campaign, Workplace workplace, OrderedRun runs, Scope scope) {
    this.campaign = campaign;
    this.workplace = workplace;
    this.runs = runs;
    this.scope = scope;
  }

  /**
   * What is done, for people.
   *
   * @param serial whether threads used persistent memory one after the other
   */
  static String phase(boolean serial) {
    return serial ? ONE_AFTER_THE_OTHER : HANDING_OVER;
  }

  /**
   * The races of the other order that count. Of threads that took turns before, only those do that
   * happened there: the rest was compared already.
   *
   * @param serial whether threads used persistent memory one after the other before
   */
  static RaceLog added(boolean serial, RaceLog others) {
    return serial ? others : others.observed();
  }

  /** An order in which the target failed, whatever is wrong with it. */
  static FailedOrder failure(ThreadSchedule order, TargetFailedException failure) {
    return new FailedOrder(order.policy().label(), order.seed(), failure.problem(), 1);
  }

  /**
   * Runs the target once more, if its threads ran one after the other, or one alone used persistent
   * memory, or they handed over what they stored, and no other order was wanted.
   *
   * @param base the PM directory after set-up
   * @param writers hold those of races that may happen there and did not
   * @param races of the recorded run
   * @param handsOver whether one thread loaded what another had persisted for itself. Of the other
   *     order, only races that happened are then added: the rest was compared already
   * @param tree gets the failure points at which something was judged
   * @param results get what was judged
   * @return the races of both runs
   */
  public RaceLog search(
      Path base,
      HeldWriters writers,
      RaceLog races,
      boolean handsOver,
      FailurePointTree tree,
      ResultListener results) {
    if (!(races.serial() || handsOver) || campaign.races().runs() > 1 || !scope.budget().isLeft()) {
      return races;
    }
    workplace.phases().begin(phase(races.serial()));
    ThreadSchedule order = ThreadSchedules.another(campaign, NUMBER);
    Observation observation = Observation.ofRaces(campaign, campaign.races().options());
    try {
      runs.run(base, order, observation, tree, results);
    } catch (TargetFailedException e) {
      return races.failedIn(List.of(failure(order, e)));
    } catch (PowercutException e) {
      workplace.phases().note("in another order of threads: " + e.getMessage());
      return races;
    }
    return observation
        .races()
        .map(others -> added(races.serial(), others))
        .map(others -> RaceLog.united(List.of(races, others)))
        .map(both -> both.held(both.races(), races.left()).failedIn(races.failures()))
        .map(both -> writers.confirm(base, observation, order, both, tree, results))
        .orElse(races);
  }
}
