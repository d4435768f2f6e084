package io.powercut.persistency.states;

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
    private final int[] lowest = new int[LineWords.UNITS];
    private final int[] highest = new int[LineWords.UNITS];
  }

  private final List<PendingStore> stores;

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
  LineSpace(long[] start, List<PendingStore> stores) {
    this.stores = stores;
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      fill(unit, start[unit]);
    }
    int previous = -1;
    for (PendingStore store : stores) {
      if (!store.isNonTemporal() && store.group() != previous) {
        previous = store.group();
        boxes.add(box(previous));
      }
    }
    if (boxes.isEmpty()) {
      boxes.add(box(0));
    }
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

  private Box box(int group) {
    Box box = new Box();
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      int count = members[unit].length;
      box.highest[unit] = count;
      for (int position = count; position > 0; position--) {
        PendingStore store = stores.get(members[unit][position - 1]);
        if (!store.isNonTemporal() && store.group() > group) {
          box.highest[unit] = position - 1;
        }
      }
      for (int position = 1; position <= count; position++) {
        PendingStore store = stores.get(members[unit][position - 1]);
        if (!store.isNonTemporal() && store.group() < group) {
          box.lowest[unit] = position;
        }
      }
    }
    return box;
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

  /** By box and unit, the values that the unit may have. */
  List<long[][]> choices() {
    List<long[][]> choices = new ArrayList<>();
    for (Box box : boxes) {
      long[][] units = new long[LineWords.UNITS][];
      for (int unit = 0; unit < LineWords.UNITS; unit++) {
        units[unit] = Arrays.copyOfRange(values[unit], box.lowest[unit], box.highest[unit] + 1);
      }
      choices.add(units);
    }
    return choices;
  }

  /**
   * The parts of stores that did not persist when the line holds this, as few as possible; empty if
   * it cannot hold it.
   */
  Optional<List<PendingStore>> missing(long[] content) {
    // A later box has persisted at least what an earlier one has.
    for (int index = boxes.size() - 1; index >= 0; index--) {
      int[] positions = positions(boxes.get(index), content);
      if (positions != null) {
        return Optional.of(behind(positions));
      }
    }
    return Optional.empty();
  }

  private int @Nullable [] positions(Box box, long[] content) {
    int[] positions = new int[LineWords.UNITS];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      int position = box.highest[unit];
      while (position >= box.lowest[unit] && values[unit][position] != content[unit]) {
        position--;
      }
      if (position < box.lowest[unit]) {
        return null;
      }
      positions[unit] = position;
    }
    return positions;
  }

  private List<PendingStore> behind(int[] positions) {
    long[] persisted = new long[stores.size()];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      for (int position = 0; position < positions[unit]; position++) {
        persisted[members[unit][position]] |= LineWords.unit(unit);
      }
    }
    List<PendingStore> missing = new ArrayList<>();
    for (int index = 0; index < persisted.length; index++) {
      PendingStore rest = stores.get(index).without(persisted[index]);
      if (rest.bytes() != 0) {
        missing.add(rest);
      }
    }
    return missing;
  }
}
