// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.persistency.lines.StorePlaces;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.UserCode;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells instructions by the user's code that they store for. All callers of a setter, of a copy in
 * a library or of an operator that is not inlined share its instructions; that one of them forgets
 * to persist would not be seen otherwise. For one thread.
 */
final class CallerPlaces implements StorePlaces {
  private static final int NO_PLACE = -1;

  private final TraceTables tables;
  private final Long2IntOpenHashMap known = new Long2IntOpenHashMap();
  private final Map<Place, Integer> numbers = new HashMap<>();

  /** An instruction, and what it is called for; empty if it has no call stack. */
  private record Place(int site, String caller) {}

  /**
   * @param tables have each stack that a store was made with so far
   */
  CallerPlaces(TraceTables tables) {
    this.tables = tables;
    known.defaultReturnValue(NO_PLACE);
  }

  @Override
  public int of(int stack, int site) {
    if (stack != 0 && !tables.hasStack(stack)) {
      return NO_PLACE; // Known from an earlier pass over the trace. This one has not come so far.
    }
    long store = (long) stack << Integer.SIZE | Integer.toUnsignedLong(site);
    int number = known.get(store);
    if (number < 0) {
      number = numbers.computeIfAbsent(place(stack, site), any -> numbers.size());
      known.put(store, number);
    }
    return number;
  }

  private Place place(int stack, int site) {
    return new Place(site, stack == 0 ? "" : UserCode.placeOf(tables.stack(stack)).identity());
  }
}
