// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The places in the code whose stores are in flight, kept as one number: equal sets have equal
 * numbers, whatever the order of the stores, and different sets nearly never do. A change costs the
 * same whatever is in flight.
 */
final class InFlightPlaces {
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

  /** What {@link StorePlaces} say of a place that they do not know yet. */
  private static final int FIRST = -1;

  private final Departures departures;
  private final StorePlaces places;

  /** How many stores are in flight, by place: places are small numbers from {@link #FIRST} on. */
  private long[] stores = new long[64];

  private long set;
  private long lastDeparted = -1;

  InFlightPlaces() {
    this((store, line) -> {}, StorePlaces.INSTRUCTIONS);
  }

  /**
   * @param departures is told of stores that are not in flight any more, where they are told one at
   *     a time
   * @param places what is one place
   */
  InFlightPlaces(Departures departures, StorePlaces places) {
    this.departures = departures;
    this.places = places;
  }

  /** A store is in flight from now on. */
  void add(InFlightStore store) {
    int place = placeOf(store);
    int index = place - FIRST;
    if (index >= stores.length) {
      stores = Arrays.copyOf(stores, Math.max(2 * stores.length, index + 1));
    }
    if (stores[index]++ == 0) {
      set ^= mix(place);
    }
  }

  /** A store is not in flight any more in the line at a location. */
  void remove(InFlightStore store, long line) {
    removeAlike(store, 1);
    departed(store.ordinal());
    departures.departed(store, line);
  }

  /** So many stores of the same code are not in flight any more. */
  void removeAlike(InFlightStore store, int count) {
    int place = placeOf(store);
    stores[place - FIRST] -= count;
    if (stores[place - FIRST] == 0) {
      set ^= mix(place);
    }
  }

  /** A part of the store with this ordinal is not in flight any more. */
  void departed(long ordinal) {
    lastDeparted = Math.max(lastDeparted, ordinal);
  }

  /**
   * When the last store was made of which a part is not in flight any more; -1 if there is none.
   */
  long lastDeparted() {
    return lastDeparted;
  }

  private int placeOf(InFlightStore store) {
    return places.of(store.stack(), store.site());
  }

  /** The set as a number; 0 when nothing is in flight. */
  long set() {
    return set;
  }

  /** The places, in no order. */
  Set<Integer> places() {
    Set<Integer> places = new HashSet<>();
    for (int index = 0; index < stores.length; index++) {
      if (stores[index] != 0) {
        places.add(index + FIRST);
      }
    }
    return Set.copyOf(places);
  }

  /** The finaliser of SplitMix64: places are small numbers, and their sums must differ. */
  private static long mix(int place) {
    long bits = (place + 1) * 0x9e3779b97f4a7c15L;
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }
}
