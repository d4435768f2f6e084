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
 * @param order the number of its order of threads: 0 unless a writer is held in it, and only what
 *     races have to do with it is judged
 * @param observation gets the trace while it is recorded
 * @param control refuses the state after a clean exit if recovery does
 * @param endRecoveries kills the recoveries that run
 */
public record Recording(
    InstrumentedRun target,
    int order,
    Observation observation,
    Consumer<Execution> control,
    Runnable endRecoveries) {
  /** An order of threads in which a writer is held. */
  public static Recording held(InstrumentedRun target, int order, Observation observation) {
    return new Recording(target, order, observation, execution -> {}, () -> {});
  }

  /** Nothing is asked about the state after a clean exit. */
  public static Recording uncontrolled(InstrumentedRun target, Observation observation) {
    return new Recording(target, 0, observation, execution -> {}, () -> {});
  }
}
