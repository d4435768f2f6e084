// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.ranges.LineWords;
import it.unimi.dsi.fastutil.longs.LongLinkedOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a line may hold after a crash, as a union of boxes. A unit's <em>position</em> is how many
 * of the stores to it have persisted. There is a box for each cached store: those before it have
 * persisted, those behind it have not, of itself any units, and of the non-temporal stores whatever
 * the order within their unit allows. So in a box each unit has a range of positions, and units do
 * not depend on each other.
 */
final class LineSpace {
  /** By unit, the first and the last position. */
  private static final class Box {
    private final int[] lowest;
    private final int[] highest;

    Box(int[] lowest, int[] highest) {
      this.lowest = lowest;
      this.highest = highest;
    }
  }

  private final List<InFlightStore> stores;

  /** By unit, the numbers of the stores to it. */
  private final int[][] members = new int[LineWords.UNITS][];

  /** By unit and position. */
  private final long[][] values = new long[LineWords.UNITS][];

  private final List<Box> boxes = new ArrayList<>();

  /**
   * The space of what some stores leave.
   *
   * @param start what the line holds without them
   */
  LineSpace(long[] start, List<InFlightStore> stores) {
    this.stores = stores;
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      fill(unit, start[unit]);
    }
    addBoxes();
  }

  private void fill(int unit, long start) {
    int[] found = new int[stores.size()];
    long[] content = new long[stores.size() + 1];
    int count = 0;
    content[0] = start;
    for (int index = 0; index < stores.size(); index++) {
      if (stores.get(index).touches(unit)) {
        found[count] = index;
        content[count + 1] = stores.get(index).applied(content[count], unit);
        count++;
      }
    }
    members[unit] = Arrays.copyOf(found, count);
    values[unit] = Arrays.copyOf(content, count + 1);
  }

  /** Groups only grow along the stores, and so do the ranges: each store is looked at twice. */
  private void addBoxes() {
    int[] lowest = new int[LineWords.UNITS];
    int[] behindLowest = new int[LineWords.UNITS];
    int[] highest = new int[LineWords.UNITS];
    int previous = -1;
    for (InFlightStore store : stores) {
      if (!store.isNonTemporal() && store.group() != previous) {
        previous = store.group();
        addBox(previous, lowest, behindLowest, highest);
      }
    }
    if (boxes.isEmpty()) {
      addBox(0, lowest, behindLowest, highest);
    }
  }

  private void addBox(int group, int[] lowest, int[] behindLowest, int[] highest) {
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      int count = members[unit].length;
      while (highest[unit] < count && !isCachedSince(unit, highest[unit], group + 1)) {
        highest[unit]++;
      }
      while (behindLowest[unit] < count && !isCachedSince(unit, behindLowest[unit], group)) {
        behindLowest[unit]++;
        if (!stores.get(members[unit][behindLowest[unit] - 1]).isNonTemporal()) {
          lowest[unit] = behindLowest[unit];
        }
      }
    }
    boxes.add(new Box(lowest.clone(), highest.clone()));
  }

  private boolean isCachedSince(int unit, int member, int group) {
    InFlightStore store = stores.get(members[unit][member]);
    return !store.isNonTemporal() && store.group() >= group;
  }

  /** The bytes that some loss changes: a bit for each. */
  long open() {
    long[] bits = new long[LineWords.UNITS];
    int[] lowest = boxes.get(0).lowest;
    int[] highest = boxes.get(boxes.size() - 1).highest;
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      long end = values[unit][members[unit].length];
      // The ranges of a unit follow one another without a gap.
      for (int position = lowest[unit]; position <= highest[unit]; position++) {
        bits[unit] |= values[unit][position] ^ end;
      }
    }
    return LineWords.touched(bits);
  }

  /** The positions when nothing is lost. */
  int[] end() {
    return Arrays.stream(members).mapToInt(stores -> stores.length).toArray();
  }

  /** Whether the line holds this when nothing is lost. */
  boolean isProgramOrder(long[] content) {
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      if (content[unit] != values[unit][members[unit].length]) {
        return false;
      }
    }
    return true;
  }

  /**
   * By box and unit, the values that the unit may have.
   *
   * @param bytes of the line; all others are zero
   */
  List<long[][]> choices(long bytes) {
    List<long[][]> choices = new ArrayList<>();
    for (Box box : boxes) {
      long[][] units = new long[LineWords.UNITS][];
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        long bits = LineWords.bits(bytes, unit);
        units[unit] = distinct(values[unit], box.lowest[unit], box.highest[unit] + 1, bits);
      }
      choices.add(units);
    }
    return choices;
  }

  /** The different values from one position to another, exclusive, as far as some bits go. */
  private static long[] distinct(long[] values, int from, int to, long bits) {
    if (to - from == 1) {
      return new long[] {values[from] & bits}; // Most units of most boxes.
    }
    LongLinkedOpenHashSet distinct = new LongLinkedOpenHashSet();
    for (int position = from; position < to; position++) {
      distinct.add(values[position] & bits);
    }
    return distinct.toLongArray();
  }

  /**
   * Positions at which the line holds this, with as few losses as possible; empty if none do.
   *
   * @param bytes of the line; the others do not matter
   */
  Optional<int[]> positions(long[] content, long bytes) {
    // A later box has persisted at least what an earlier one has.
    for (int index = boxes.size() - 1; index >= 0; index--) {
      int[] positions = positions(boxes.get(index), content, bytes);
      if (positions != null) {
        return Optional.of(positions);
      }
    }
    return Optional.empty();
  }

  /** What the line holds. */
  long[] content(int[] positions) {
    long[] content = new long[LineWords.UNITS];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      content[unit] = values[unit][positions[unit]];
    }
    return content;
  }

  /**
   * How losses end: first everything is lost, then one unit of one store after another arrives, and
   * at last only the last one is lost. A store's units come in the order of their addresses.
   */
  List<int[]> steps() {
    List<int[]> steps = new ArrayList<>();
    int[] positions = new int[LineWords.UNITS];
    for (InFlightStore store : stores) {
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (store.touches(unit)) {
          steps.add(positions.clone());
          positions[unit]++;
        }
      }
    }
    return steps;
  }

  /** Whether nothing persisted that was stored behind something lost. */
  boolean isPrefix(int[] positions) {
    boolean isLosing = false;
    for (int index = 0; index < stores.size(); index++) {
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (stores.get(index).touches(unit)) {
          boolean isLost = isLost(positions, unit, index);
          if (isLosing && !isLost) {
            return false;
          }
          isLosing |= isLost;
        }
      }
    }
    return true;
  }

  private boolean isLost(int[] positions, int unit, int index) {
    return positions[unit] < members[unit].length && members[unit][positions[unit]] <= index;
  }

  /**
   * Everything persisted, apart from some bytes of a store and what cannot without them: later
   * stores to the same units, and behind a lost cached store all later cached ones.
   */
  int[] losing(InFlightStore lost) {
    int[] positions = new int[LineWords.UNITS];
    Arrays.setAll(positions, unit -> members[unit].length);
    int lostGroup = Integer.MAX_VALUE;
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      boolean isAllLost = !store.isNonTemporal() && store.group() > lostGroup;
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (store.touches(unit) && (isAllLost || (isPartOf(lost, store) && lost.touches(unit)))) {
          positions[unit] = Math.min(positions[unit], memberOf(unit, index));
        }
        if (store.touches(unit) && !store.isNonTemporal() && isLost(positions, unit, index)) {
          lostGroup = Math.min(lostGroup, store.group());
        }
      }
    }
    return positions;
  }

  /** The same with a store persisted as well, and what must be persisted before it. */
  int[] restoring(int[] from, InFlightStore restored) {
    int[] positions = from.clone();
    int wholeBelow = Integer.MIN_VALUE;
    for (int index = stores.size() - 1; index >= 0; index--) {
      InFlightStore store = stores.get(index);
      boolean isWhole = !store.isNonTemporal() && store.group() < wholeBelow;
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        if (!store.touches(unit)) {
          continue;
        }
        if (isWhole || (isPartOf(restored, store) && restored.touches(unit))) {
          positions[unit] = Math.max(positions[unit], memberOf(unit, index) + 1);
        }
        if (!store.isNonTemporal() && !isLost(positions, unit, index)) {
          wholeBelow = Math.max(wholeBelow, store.group());
        }
      }
    }
    return positions;
  }

  /**
   * A store with two entries, for it was flushed between its records, has them with other bytes.
   */
  private static boolean isPartOf(InFlightStore part, InFlightStore store) {
    return part.ordinal() == store.ordinal() && (part.bytes() & store.bytes()) != 0;
  }

  private int memberOf(int unit, int index) {
    return Arrays.binarySearch(members[unit], index);
  }

  private int @Nullable [] positions(Box box, long[] content, long bytes) {
    int[] positions = new int[LineWords.UNITS];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      long bits = LineWords.bits(bytes, unit);
      int position = box.highest[unit];
      while (position >= box.lowest[unit]
          && ((values[unit][position] ^ content[unit]) & bits) != 0) {
        position--;
      }
      if (position < box.lowest[unit]) {
        return null;
      }
      positions[unit] = position;
    }
    return positions;
  }

  /** The parts of stores that did not persist. */
  List<InFlightStore> missing(int[] positions) {
    long[] persisted = new long[stores.size()];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      for (int position = 0; position < positions[unit]; position++) {
        persisted[members[unit][position]] |= LineWords.unit(unit);
      }
    }
    List<InFlightStore> missing = new ArrayList<>();
    for (int index = 0; index < persisted.length; index++) {
      InFlightStore rest = stores.get(index).without(persisted[index]);
      if (rest.bytes() != 0) {
        missing.add(rest);
      }
    }
    return missing;
  }
}
