// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What has to persist as one: a lost store with its other parts, or with the store that arrived
 * without it.
 *
 * @param size how many bytes these stored
 */
public record OneUnit(int size) {
  /**
   * What the first lost store of a culprit has to persist as one with, and that store.
   *
   * @param states of the point where it was found
   */
  public static OneUnit of(Culprit culprit, CrashStates states) {
    List<BlamedStore> blamed =
        Stream.concat(
                culprit.lost().stream().limit(1),
                culprit.arrived().stream().limit(culprit.isTorn() ? 0 : 1))
            .toList();
    Set<Long> ordinals =
        blamed.stream().map(one -> one.store().ordinal()).collect(Collectors.toSet());
    Map<Long, InFlightLine> lines = new LinkedHashMap<>();
    Stream.concat(
            blamed.stream().map(BlamedStore::line), states.sample(CrashStates.FEW_LINES).stream())
        .forEach(line -> lines.putIfAbsent(line.location(), line));
    return new OneUnit(
        lines.values().stream()
            .flatMap(line -> line.stores().stream())
            .filter(store -> ordinals.contains(store.ordinal()))
            .mapToInt(store -> Long.bitCount(store.bytes()))
            .sum());
  }

  /** Whether one store could make all of it that persists as a whole. */
  public boolean fitsIntoOneWord() {
    return size <= Long.BYTES;
  }
}
