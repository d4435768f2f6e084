// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.FailurePointsSection;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.exit.PowercutException;
import io.powercut.trace.TraceEvent.MarkKind;
import java.util.Optional;

/** Finds out whether a recorded run tested anything, and if not, why. */
public final class NothingTested {
  private final Campaign campaign;
  private final FailurePointsSection section;
  private final Observation observation;

  /**
   * @param observation saw the whole trace
   */
  public NothingTested(Campaign campaign, Observation observation) {
    this.campaign = campaign;
    this.section = campaign.failurePoints();
    this.observation = observation;
  }

  /**
   * Whether a crash behind the last instruction may leave something else than a clean exit, and the
   * campaign wants that to be tried. Whether it does is known to those who judge it.
   */
  public boolean mayTestTheEnd() {
    return observation.activity().stores() && leavesOutTheEnd().isEmpty();
  }

  /** The key for which nothing is tried at the end of the run. */
  private Optional<String> leavesOutTheEnd() {
    if (campaign.injection() != InjectionMode.RECORDED) {
      return Optional.of("injection: " + campaign.injection());
    }
    if (!campaign.exploresStates()) {
      return Optional.of("crashStates.enabled: false");
    }
    return campaign.occurrences().isLeftToPowercut()
        ? Optional.empty()
        : Optional.of("occurrences");
  }

  /**
   * Refuses a run that tested nothing, or whose bounds are not those that were meant.
   *
   * @param isTested whether there are failure points, or states at the end were judged or may be
   * @throws PowercutException with the reason and what to do
   */
  public void refuse(boolean isTested) {
    section.begin().flatMap(name -> unknown("begin", name, MarkKind.BEGIN)).ifPresent(this::stop);
    section.end().flatMap(name -> unknown("end", name, MarkKind.END)).ifPresent(this::stop);
    if (!isTested) {
      stop(reason());
    }
  }

  private void stop(String reason) {
    throw PowercutException.notTrustworthy("nothing was tested: " + reason);
  }

  private String reason() {
    Activity activity = observation.activity();
    if (section.begin().isPresent() && !activity.reached(MarkKind.BEGIN)) {
      return "failurePoints.begin is %s, which this run did not call. Name a function that it calls."
          .formatted(section.begin().get());
    }
    if (activity.reached(MarkKind.END) && !activity.reached(MarkKind.BEGIN)) {
      return "the program has a powercut_begin() and did not come to it, or failurePoints.end is a function"
          + " that it called at once.";
    }
    if (!activity.stores()) {
      return "the target stored nothing to the files below {pm}. Check that its workload changes something, and"
          + " that its files are there, as in \"{pm}/pool\". Its standard input is empty: a program that reads"
          + " it needs a shell, as in [sh, -c, \"./app {pm}/pool <input\"].";
    }
    return "the target reached no flush, fence or msync after a store to persistent memory"
        + (section.begin().isPresent() || section.end().isPresent()
            ? " between failurePoints.begin and end."
            : section.exclude().isEmpty() ? "." : " that failurePoints.exclude does not leave out.")
        + leavesOutTheEnd()
            .map(" The end of the run was not tested either: %s leaves it out."::formatted)
            .orElse("");
  }

  private Optional<String> unknown(String key, String pattern, MarkKind mark) {
    if (observation.activity().reached(mark)) {
      return Optional.empty();
    }
    return new NamedFunctions(observation.modules()).unknown("failurePoints." + key, pattern);
  }
}
