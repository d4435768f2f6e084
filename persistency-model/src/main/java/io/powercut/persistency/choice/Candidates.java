// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What was chosen to be judged at one place of the trace.
 *
 * @param states each once
 * @param left by policy, how many further states it wanted judged and the budget did not allow;
 *     where no state was chosen, at least so many
 */
public record Candidates(List<Candidate> states, Map<StatePolicy, Long> left) {
  /** Nothing to judge, and nothing that was wanted. */
  public static final Candidates NONE = new Candidates(List.of(), Map.of());

  /** Copies the collections. */
  public Candidates {
    states = List.copyOf(states);
    Map<StatePolicy, Long> ordered = new EnumMap<>(StatePolicy.class);
    left.forEach((policy, count) -> ordered.merge(policy, count, Long::sum));
    left = ordered;
  }

  /** Whether nothing is to be judged. */
  public boolean isEmpty() {
    return states.isEmpty();
  }
}
