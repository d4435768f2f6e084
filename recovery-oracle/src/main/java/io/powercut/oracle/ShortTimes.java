// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.util.HashSet;
import java.util.Set;

/** Gives steps the time that they should need, and knows which got less than they may have. */
final class ShortTimes implements StepAdaptation {
  private final LearnedLimits limits;
  private final Set<Integer> shortened = new HashSet<>();

  ShortTimes(LearnedLimits limits) {
    this.limits = limits;
  }

  @Override
  public RecoveryStep adapt(int index, RecoveryStep step) {
    RecoveryStep shorter = limits.shorten(index, step);
    if (!shorter.equals(step)) {
      shortened.add(index);
    }
    return shorter;
  }

  /** Whether the step with this number got less time. */
  boolean shortened(int index) {
    return shortened.contains(index);
  }
}
