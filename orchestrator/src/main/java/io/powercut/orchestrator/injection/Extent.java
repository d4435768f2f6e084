// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.StateLog;
import java.util.Optional;

/**
 * What is judged beside the images of program order.
 *
 * @param occurrences which occurrences of each failure point
 * @param states takes the verdicts on crash states; nothing if they are not judged
 * @param recoveryCrashes the same for crashes during recovery
 * @param comparesDumps whether what images hold after recovery is compared
 */
record Extent(
    OccurrencesSection occurrences,
    Optional<StateLog> states,
    Optional<RecoveryCrashLog> recoveryCrashes,
    boolean comparesDumps) {
  /** What a campaign wants, as far as there are logs for it. */
  static Extent of(Campaign campaign, InjectionLogs logs) {
    boolean withStates = logs.states().isPresent();
    return new Extent(
        withStates ? campaign.occurrences() : OccurrencesSection.FIRST,
        logs.states().filter(log -> campaign.exploresStates()),
        logs.recoveryCrashes().filter(log -> campaign.cutsRecovery()),
        withStates && campaign.dump().isPresent());
  }

  /** Whether it must be known which lines are in flight. */
  boolean needsInFlight() {
    return states.isPresent() || occurrences.isLeftToPowercut();
  }

  /** Whether states after the last instruction are judged. */
  boolean coversTheEnd() {
    return states.isPresent() && occurrences.isLeftToPowercut();
  }

  /** Whether the trace is read again once the run is over. */
  boolean needsStoredTrace() {
    return states.isPresent() || occurrences.needsWholeRun();
  }
}
