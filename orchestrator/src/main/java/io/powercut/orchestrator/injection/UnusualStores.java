// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.persistency.choice.UnusualCode;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.StorePlaces;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Which code has stores in flight at an occurrence, and had none at the one before it. */
final class UnusualStores {
  private final Set<Occurrence> wanted;
  private final Set<Occurrence> beforeWanted = new HashSet<>();
  private final Function<StorePlaces, Set<Integer>> blamed;
  private final Map<FailurePointId, Set<Integer>> before = new HashMap<>();

  /**
   * @param wanted the occurrences in question
   * @param blamed gives the places of which it is known that their loss breaks something: that
   *     their stores are in flight from then on shows nothing new
   */
  UnusualStores(Set<Occurrence> wanted, Function<StorePlaces, Set<Integer>> blamed) {
    this.wanted = wanted;
    this.blamed = blamed;
    for (Occurrence occurrence : wanted) {
      beforeWanted.add(new Occurrence(occurrence.id(), occurrence.number() - 1));
    }
  }

  /**
   * The code at an occurrence; none if it is not wanted.
   *
   * @param occurrence each occurrence, in the order of the trace
   */
  UnusualCode at(Occurrence occurrence, CacheLineTracker pending) {
    boolean isBefore = beforeWanted.contains(occurrence);
    if (!wanted.contains(occurrence)) {
      if (isBefore) {
        before.put(occurrence.id(), pending.placesInFlight());
      }
      return UnusualCode.NONE;
    }
    Set<Integer> unusual = new HashSet<>(pending.placesInFlight());
    unusual.removeAll(before.getOrDefault(occurrence.id(), Set.of()));
    unusual.removeAll(blamed.apply(pending.numbers()));
    if (isBefore) {
      before.put(occurrence.id(), pending.placesInFlight());
    }
    return new UnusualCode(unusual, pending.numbers());
  }
}
