// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.Set;

/**
 * The instructions whose stores are in flight, kept as one number: equal sets have equal numbers,
 * whatever the order of the stores, and different sets nearly never do. A change costs the same
 * whatever is in flight.
 */
final class InFlightSites {
  /** Is told of a store that is not in flight any more. */
  @FunctionalInterface
  interface Departures {
    /**
     * It is not, in one line.
     *
     * @param line its location
     */
    void departed(InFlightStore store, long line);
  }

  private final Departures departures;
  private final Int2LongOpenHashMap stores = new Int2LongOpenHashMap();
  private long set;

  InFlightSites() {
    this((store, line) -> {});
  }

  /**
   * @param departures is told of stores that are not in flight any more, where they are told one at
   *     a time
   */
  InFlightSites(Departures departures) {
    this.departures = departures;
  }

  /** A store is in flight from now on. */
  void add(InFlightStore store) {
    if (stores.addTo(store.site(), 1) == 0) {
      set ^= mix(store.site());
    }
  }

  /** A store is not in flight any more in the line at a location. */
  void remove(InFlightStore store, long line) {
    removeAlike(store, 1);
    departures.departed(store, line);
  }

  /** So many stores of the same instruction are not in flight any more. */
  void removeAlike(InFlightStore store, int count) {
    if (stores.addTo(store.site(), -count) == count) {
      stores.remove(store.site());
      set ^= mix(store.site());
    }
  }

  /** The set as a number; 0 when nothing is in flight. */
  long set() {
    return set;
  }

  /** The instructions, in no order. */
  Set<Integer> sites() {
    return Set.copyOf(stores.keySet());
  }

  /** The finaliser of SplitMix64: sites are small numbers, and their sums must differ. */
  private static long mix(int site) {
    long bits = (site + 1) * 0x9e3779b97f4a7c15L;
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }
}
