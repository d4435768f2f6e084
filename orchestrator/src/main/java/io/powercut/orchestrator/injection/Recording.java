// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import java.util.function.Consumer;

/**
 * The execution from whose trace images are made.
 *
 * @param target runs it
 * @param observation gets the trace while it is recorded
 * @param control refuses the state after a clean exit if recovery does
 * @param endRecoveries kills the recoveries that run
 */
public record Recording(
    InstrumentedRun target,
    Observation observation,
    Consumer<Execution> control,
    Runnable endRecoveries) {
  /** Nothing is asked about the state after a clean exit. */
  public static Recording uncontrolled(InstrumentedRun target, Observation observation) {
    return new Recording(target, observation, execution -> {}, () -> {});
  }
}
