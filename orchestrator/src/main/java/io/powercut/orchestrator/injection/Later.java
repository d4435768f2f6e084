// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.persistency.choice.StateShare;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Occurrences to judge in one pass over the stored trace.
 *
 * @param first that were postponed, with their shares
 * @param other other stores are in flight there
 * @param due are wanted as well
 * @param further are judged as far as the budget allows
 * @param theEnd whether the end of the run is judged, behind all others
 */
record Later(
    Map<Occurrence, StateShare> first,
    Set<Occurrence> other,
    Set<Occurrence> due,
    Set<Occurrence> further,
    boolean theEnd) {
  static final Later NOTHING = new Later(Map.of(), Set.of(), Set.of(), Set.of(), false);

  boolean isEmpty() {
    return size() == 0 && !theEnd;
  }

  /** All of them together. */
  Set<Occurrence> all() {
    Set<Occurrence> all = new HashSet<>(first.keySet());
    all.addAll(other);
    all.addAll(due);
    all.addAll(further);
    return all;
  }

  int size() {
    return first.size() + other.size() + due.size() + further.size();
  }

  /** Only some failure points; the end belongs to those that the run's end belongs to. */
  Later of(Predicate<FailurePointId> wanted) {
    return new Later(
        first.entrySet().stream()
            .filter(occurrence -> wanted.test(occurrence.getKey().id()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        of(other, wanted),
        of(due, wanted),
        of(further, wanted),
        theEnd && wanted.test(Occurrence.END.id()));
  }

  /** Nothing but occurrences where other stores are in flight. */
  static Later ofOther(Set<Occurrence> other) {
    return new Later(Map.of(), other, Set.of(), Set.of(), false);
  }

  private static Set<Occurrence> of(Set<Occurrence> occurrences, Predicate<FailurePointId> wanted) {
    return occurrences.stream()
        .filter(occurrence -> wanted.test(occurrence.id()))
        .collect(Collectors.toUnmodifiableSet());
  }

  Later with(Set<Occurrence> more) {
    return new Later(first, other, due, more, theEnd);
  }
}
