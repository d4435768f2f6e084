// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.tree.FailurePointTree;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The execution from whose trace images are made.
 *
 * @param target runs it, or reads what was recorded of it
 * @param hasFiles whether the files that it left are there to be compared with the record
 * @param order the number of its order of threads: 0 unless a writer is held in it, and only what
 *     races have to do with it is judged
 * @param observation gets the trace while it is recorded
 * @param control refuses the state after a clean exit if recovery does
 * @param endRecoveries kills the recoveries that run
 */
public record Recording(
    Source target,
    boolean hasFiles,
    int order,
    Observation observation,
    Consumer<Execution> control,
    Runnable endRecoveries) {
  /** Where a trace comes from. */
  @FunctionalInterface
  public interface Source {
    /** As {@link InstrumentedRun#run(Path, FailurePointTree, Observation, Following)}. */
    Execution run(Path base, FailurePointTree tree, Observation observation, Following following);
  }

  /**
   * An execution that takes place now.
   *
   * @param control refuses the state after a clean exit if recovery does
   * @param endRecoveries kills the recoveries that run
   */
  public static Recording of(
      InstrumentedRun target,
      Observation observation,
      Consumer<Execution> control,
      Runnable endRecoveries) {
    return new Recording(target::run, true, 0, observation, control, endRecoveries);
  }

  /** An execution that took place before, whose end was controlled then. */
  public static Recording of(Source stored, Observation observation) {
    return new Recording(stored, false, 0, observation, execution -> {}, () -> {});
  }

  /** An order of threads in which a writer is held. */
  public static Recording held(InstrumentedRun target, int order, Observation observation) {
    return new Recording(target::run, true, order, observation, execution -> {}, () -> {});
  }

  /** Nothing is asked about the state after a clean exit. */
  public static Recording uncontrolled(InstrumentedRun target, Observation observation) {
    return new Recording(target::run, true, 0, observation, execution -> {}, () -> {});
  }
}
