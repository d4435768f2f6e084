// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.StateLog;
import java.util.Map;
import java.util.Optional;

/**
 * Where the results of an injection go, with what an earlier part of the same run has left there.
 *
 * @param results takes the results
 * @param judged the verdicts of an earlier part
 * @param states the verdicts on crash states. Without it only that is judged which re-execution can
 *     judge as well: neither crash states nor what images hold after recovery
 * @param recoveryCrashes the same for crashes during recovery
 */
public record InjectionLogs(
    ResultListener results,
    Map<Occurrence, Judgement> judged,
    Optional<StateLog> states,
    Optional<RecoveryCrashLog> recoveryCrashes) {
  /** Copies the map. */
  public InjectionLogs {
    judged = Map.copyOf(judged);
  }

  /** Program-order images only, from the beginning. */
  public static InjectionLogs of(ResultListener results) {
    return new InjectionLogs(results, Map.of(), Optional.empty(), Optional.empty());
  }
}
