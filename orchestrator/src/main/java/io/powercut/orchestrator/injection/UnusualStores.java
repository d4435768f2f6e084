// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which instructions have stores in flight at an occurrence, and had none at the one before it. */
final class UnusualStores {
  private final Set<Occurrence> wanted;
  private final Set<Integer> blamed;
  private final Map<FailurePointId, Set<Integer>> before = new HashMap<>();

  /**
   * @param wanted the occurrences in question
   * @param blamed instructions of which it is known that their loss breaks something: that their
   *     stores are in flight from then on shows nothing new
   */
  UnusualStores(Set<Occurrence> wanted, Set<Integer> blamed) {
    this.wanted = wanted;
    this.blamed = blamed;
  }

  /**
   * The instructions at an occurrence; none if it is not wanted.
   *
   * @param occurrence each occurrence, in the order of the trace
   */
  Set<Integer> at(Occurrence occurrence, CacheLineTracker pending) {
    Set<Integer> unusual = new HashSet<>();
    if (wanted.contains(occurrence)) {
      unusual.addAll(pending.instructionsInFlight());
      unusual.removeAll(before.getOrDefault(occurrence.id(), Set.of()));
      unusual.removeAll(blamed);
    }
    if (wanted.contains(new Occurrence(occurrence.id(), occurrence.number() + 1))) {
      before.put(occurrence.id(), pending.instructionsInFlight());
    }
    return unusual;
  }
}
