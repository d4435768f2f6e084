// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

/** Changes a step for one asking, for example to give it more time. */
@FunctionalInterface
interface StepAdaptation {
  /** Leaves everything as it is. */
  StepAdaptation NONE = (index, step) -> step;

  /** The step to run in place of the step with this number, counted from 0. */
  RecoveryStep adapt(int index, RecoveryStep step);
}
