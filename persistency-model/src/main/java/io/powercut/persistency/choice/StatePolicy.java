// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import java.util.Locale;

/** Who chose a state: the names of {@link io.powercut.persistency.states.CrashStatePolicy}. */
public enum StatePolicy {
  /** Everything lost that can be. */
  PERSISTED_ONLY,
  /** One line lost. */
  ONE_LINE_LOST,
  /** At the end of the run: all lines lost in which one place in the code left something. */
  ONE_PLACE_LOST,
  /** All lines but one lost. */
  EARLY_EVICTION,
  /** By chance. */
  SAMPLED,
  /** All there are. */
  EXHAUSTIVE,
  /** What the search for all that recovery can tell apart came by. */
  COMPLETE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
