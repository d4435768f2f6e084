// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.choice;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StorePlaces;
import java.util.Set;

/**
 * The code that has stores in flight at an occurrence, and usually has none there.
 *
 * @param places where it is
 * @param numbers what counts as a place
 */
public record UnusualCode(Set<Integer> places, StorePlaces numbers) {
  /** None. */
  public static final UnusualCode NONE = new UnusualCode(Set.of(), StorePlaces.INSTRUCTIONS);

  /** Takes the places as they are now. */
  public UnusualCode {
    places = Set.copyOf(places);
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  /** Whether it made a store. */
  boolean hasMade(InFlightStore store) {
    return places.contains(numbers.of(store.stack(), store.site()));
  }
}
