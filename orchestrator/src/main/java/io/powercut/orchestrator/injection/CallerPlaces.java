// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.persistency.lines.StorePlaces;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.UserCode;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells instructions by the user's code that they store for. All callers of a setter, of a copy in
 * a library or of an operator that is not inlined share its instructions; that one of them forgets
 * to persist would not be seen otherwise. For one thread.
 */
final class CallerPlaces implements StorePlaces {
  private static final int NO_PLACE = -1;
  private static final int FIRST_STACKS = 256;

  private final TraceTables tables;
  private final Long2IntOpenHashMap known = new Long2IntOpenHashMap();
  private final Map<Place, Integer> numbers = new HashMap<>();

  /** By call stack the site of the store that was asked for last, and its number. */
  private int[] sites = new int[FIRST_STACKS];

  private int[] numbersOfStacks = newNumbers(0, FIRST_STACKS);

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
    // Each store is asked for twice, and nearly all stacks have one.
    if (stack >= 0
        && stack < sites.length
        && sites[stack] == site
        && numbersOfStacks[stack] != NO_PLACE) {
      return numbersOfStacks[stack];
    }
    int number = find(stack, site);
    if (number != NO_PLACE) {
      keep(stack, site, number);
    }
    return number;
  }

  private void keep(int stack, int site, int number) {
    if (stack >= sites.length) {
      int most = Math.max(2 * sites.length, stack + 1);
      int[] more = newNumbers(sites.length, most);
      System.arraycopy(numbersOfStacks, 0, more, 0, sites.length);
      numbersOfStacks = more;
      sites = Arrays.copyOf(sites, most);
    }
    sites[stack] = site;
    numbersOfStacks[stack] = number;
  }

  private static int[] newNumbers(int from, int size) {
    int[] numbers = new int[size];
    Arrays.fill(numbers, from, size, NO_PLACE);
    return numbers;
  }

  private int find(int stack, int site) {
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
