// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.ranges.LineWords;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The different contents in a union of boxes, counted and numbered without being listed: a decision
 * diagram over the units, whose nodes are the sets of boxes that the units before still allow.
 */
final class DistinctContents {
  /** A unit, with those before it chosen. */
  private static final class Node {
    static final Node END = new Node(0);

    static {
      END.before[0] = 1;
    }

    /** Of the unit. */
    final long[] values;

    /** By value, the next unit. */
    final Node[] next;

    /** By value, how many contents the earlier values have; and at the end, how many all have. */
    final long[] before;

    Node(int values) {
      this.values = new long[values];
      this.next = new Node[values];
      this.before = new long[values + 1];
    }

    long count() {
      return before[before.length - 1];
    }
  }

  private final List<long[][]> boxes;
  private final Node first;

  /** Contents of boxes, each with the values that each unit may have. */
  DistinctContents(List<long[][]> boxes) {
    this.boxes = boxes;
    BitSet all = new BitSet();
    all.set(0, boxes.size());
    this.first = node(0, all, new HashMap<>());
  }

  private record Place(int unit, BitSet live) {}

  private Node node(int unit, BitSet live, Map<Place, Node> known) {
    if (unit == LineWords.UNITS) {
      return Node.END;
    }
    Place place = new Place(unit, live);
    Node result = known.get(place);
    if (result == null) {
      result = make(unit, live, known);
      known.put(place, result);
    }
    return result;
  }

  private Node make(int unit, BitSet live, Map<Place, Node> known) {
    Map<Long, BitSet> boxesOf = new LinkedHashMap<>();
    for (int box = live.nextSetBit(0); box >= 0; box = live.nextSetBit(box + 1)) {
      for (long value : boxes.get(box)[unit]) {
        boxesOf.computeIfAbsent(value, first -> new BitSet()).set(box);
      }
    }
    Node result = new Node(boxesOf.size());
    int index = 0;
    for (Map.Entry<Long, BitSet> entry : boxesOf.entrySet()) {
      Node next = node(unit + 1, entry.getValue(), known);
      result.values[index] = entry.getKey();
      result.next[index] = next;
      result.before[index + 1] = result.before[index] + next.count();
      index++;
    }
    return result;
  }

  /** How many there are. */
  long count() {
    return first.count();
  }

  /** The content of a number from 0 to {@link #count()}, exclusive. */
  long[] get(long number) {
    long[] content = new long[LineWords.UNITS];
    Node node = first;
    long rest = number;
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      int index = 0;
      while (node.before[index + 1] <= rest) {
        index++;
      }
      rest -= node.before[index];
      content[unit] = node.values[index];
      node = node.next[index];
    }
    return content;
  }
}
