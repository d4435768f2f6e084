// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;
import java.util.Optional;

/**
 * How thoroughly a campaign's oracle is measured.
 *
 * @param states how many states of each mutant are judged at most; at least 1
 * @param time how long judging may take
 * @param function the only function in which mutants are made
 * @param limit how many mutants are made at most; at least 1
 */
public record StrengthOptions(
    int states, Optional<Duration> time, Optional<String> function, Optional<Integer> limit) {
  /** Checks the ranges. */
  public StrengthOptions {
    checkArgument(states >= 1, "states is %s, not 1 or more", states);
    checkArgument(limit.orElse(1) >= 1, "limit is %s, not 1 or more", limit.orElse(0));
  }
}
