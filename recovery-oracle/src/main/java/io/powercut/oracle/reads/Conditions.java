// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * What recovery wanted to know of bytes that do not count as read: its branches depended on them,
 * and nothing else did. On an image with other such bytes it goes the same way, and so does the
 * same, if all conditions hold there, and the bytes that count as read are the same.
 *
 * <p>They are computed as the program did (King, "Symbolic execution and program testing", CACM
 * 1976, of a run with concrete values). Never changes.
 */
public final class Conditions {
  /** None at all. */
  public static final Conditions NONE = new Conditions(List.of(), new Node[0]);

  private static final int CONSTANT = 0;
  private static final int BYTES = 1;
  private static final int ADDITION = 2;
  private static final int SUBTRACTION = 3;
  private static final int CONJUNCTION = 4;
  private static final int DISJUNCTION = 5;
  private static final int EXCLUSIVE = 6;
  private static final int PRODUCT = 7;
  private static final int SHIFT_LEFT = 8;
  private static final int SHIFT_RIGHT = 9;
  private static final int SIGN = 10;
  private static final int CONDITION_SUBTRACTION = 11;
  private static final int CONDITION_ADDITION = 12;

  private final List<ImageLine> lines;
  private final Node[] nodes;
  private final Map<ImageLine, Long> bytes;

  /**
   * Something that was computed, as {@code recovery-oracle/native/lines.h} describes it; others are
   * meant by their numbers, from 1.
   */
  public record Node(int kind, int at, int size, int left, int right, long value) {
    boolean isCondition() {
      return kind >= CONDITION_SUBTRACTION;
    }
  }

  /**
   * @param lines by the numbers that nodes have for them
   */
  Conditions(List<ImageLine> lines, Node[] nodes) {
    this.lines = lines;
    this.nodes = nodes;
    this.bytes = findBytes();
  }

  /**
   * @param lines by the numbers that nodes have for them
   * @param nodes each of them after those that it is computed from
   */
  public static Conditions of(List<ImageLine> lines, List<Node> nodes) {
    return new Conditions(lines, nodes.toArray(Node[]::new));
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return Arrays.stream(nodes).noneMatch(Node::isCondition);
  }

  /** How much memory they take, in nodes. */
  public int size() {
    return nodes.length;
  }

  /** The bytes that they depend on: a bit for each, the lowest for the first of the line. */
  public Map<ImageLine, Long> bytes() {
    return bytes;
  }

  private Map<ImageLine, Long> findBytes() {
    boolean[] used = used();
    Map<ImageLine, Long> bytes = new LinkedHashMap<>();
    for (int index = 0; index < nodes.length; index++) {
      Node node = nodes[index];
      if (used[index] && node.kind() == BYTES) {
        bytes.merge(
            lines.get(node.left()),
            Integer.toUnsignedLong(node.right()) << node.at(),
            (one, more) -> one | more);
      }
    }
    return bytes;
  }

  /** Which nodes conditions depend on. */
  private boolean[] used() {
    boolean[] used = new boolean[nodes.length];
    for (int index = nodes.length - 1; index >= 0; index--) {
      Node node = nodes[index];
      used[index] |= node.isCondition();
      if (used[index] && node.kind() != CONSTANT && node.kind() != BYTES) {
        mark(used, node.left());
        mark(used, node.right());
      }
    }
    return used;
  }

  private static void mark(boolean[] used, int number) {
    if (number > 0) {
      used[number - 1] = true;
    }
  }

  /**
   * Begins to compute them for other contents.
   *
   * @param place from 0, of a line in the order in which contents will be {@linkplain
   *     Evaluation#put put}; negative for a line whose bytes are as they were
   * @param places how many there are
   */
  public Evaluation evaluation(ToIntFunction<ImageLine> place, int places) {
    return new Evaluation(place, places);
  }

  /** Computes conditions when the contents of lines become known one by one. For one thread. */
  public final class Evaluation {
    private final long[] values = new long[nodes.length];

    /** By place, the nodes that can be computed when that line is known. */
    private final int[][] due;

    private Evaluation(ToIntFunction<ImageLine> place, int places) {
      int[] placeOf = new int[nodes.length];
      int[] counts = new int[places];
      boolean[] used = used();
      int[] placeOfLine = lines.stream().mapToInt(place).toArray();
      for (int index = 0; index < nodes.length; index++) {
        Node node = nodes[index];
        values[index] = node.value();
        placeOf[index] =
            switch (node.kind()) {
              case CONSTANT -> -1;
              case BYTES -> placeOfLine[node.left()];
              default -> Math.max(placeOf(placeOf, node.left()), placeOf(placeOf, node.right()));
            };
        if (used[index] && placeOf[index] >= 0) {
          counts[placeOf[index]]++;
        }
      }
      this.due = new int[places][];
      Arrays.setAll(due, number -> new int[counts[number]]);
      for (int index = nodes.length - 1; index >= 0; index--) {
        if (used[index] && placeOf[index] >= 0) {
          due[placeOf[index]][--counts[placeOf[index]]] = index;
        }
      }
    }

    private static int placeOf(int[] placeOf, int number) {
      return number == 0 ? -1 : placeOf[number - 1];
    }

    /** Whether a condition depends on the line at a place. */
    public boolean needs(int place) {
      return due[place].length > 0;
    }

    /**
     * Puts a content to a place, after those of all lower places.
     *
     * @param content eight words of a line, little-endian
     * @return whether all conditions hold that can be computed now, and could not before
     */
    public boolean put(int place, long[] content) {
      boolean holds = true;
      for (int index : due[place]) {
        Node node = nodes[index];
        long value = value(node, content);
        values[index] = value;
        holds &= !node.isCondition() || value == node.value();
      }
      return holds;
    }

    private long value(Node node, long[] content) {
      if (node.kind() == BYTES) {
        return loaded(node, content);
      }
      long left = values[node.left() - 1];
      long right = node.right() == 0 ? 0 : values[node.right() - 1];
      return switch (node.kind()) {
        case ADDITION -> left + right;
        case SUBTRACTION -> left - right;
        case CONJUNCTION -> left & right;
        case DISJUNCTION -> left | right;
        case EXCLUSIVE -> left ^ right;
        case PRODUCT -> left * right;
        case SHIFT_LEFT -> left << node.at();
        case SHIFT_RIGHT -> left >>> node.at();
        case SIGN -> extended(left, node.size());
        default -> Flags.of(node.kind(), node.size(), left, right).isSo(node.at()) ? 1 : 0;
      };
    }

    /** Bytes that do not belong to the condition are as they were. */
    private static long loaded(Node node, long[] content) {
      long value = 0;
      for (int index = 0; index < node.size(); index++) {
        int at = node.at() + index;
        long word =
            (node.right() >>> index & 1) != 0
                ? content[at / Long.BYTES] >>> (Byte.SIZE * (at % Long.BYTES))
                : node.value() >>> (Byte.SIZE * index);
        value |= (word & 0xff) << (Byte.SIZE * index);
      }
      return value;
    }

    private static long extended(long value, int size) {
      int unused = Long.SIZE - Byte.SIZE * size;
      return value << unused >> unused;
    }
  }

  /** The flags of x86 after an operation. */
  private record Flags(boolean carry, boolean zero, boolean sign, boolean overflow, boolean even) {
    static Flags of(int operation, int size, long left, long right) {
      long mask = size == Long.BYTES ? -1L : (1L << (Byte.SIZE * size)) - 1;
      int top = Byte.SIZE * size - 1;
      long result = left;
      boolean carry = false;
      boolean overflow = false;
      if (operation == CONDITION_SUBTRACTION) {
        result = (left - right) & mask;
        carry = Long.compareUnsigned(left, right) < 0;
        overflow = (((left ^ right) & (left ^ result)) >>> top & 1) != 0;
      } else if (operation == CONDITION_ADDITION) {
        result = (left + right) & mask;
        carry = Long.compareUnsigned(result, left) < 0;
        overflow = ((~(left ^ right) & (left ^ result)) >>> top & 1) != 0;
      }
      boolean even = Long.bitCount(result & 0xff) % 2 == 0;
      return new Flags(carry, result == 0, (result >>> top & 1) != 0, overflow, even);
    }

    /** Whether a conditional jump of this code would be taken. */
    boolean isSo(int code) {
      boolean is =
          switch (code >>> 1) {
            case 0 -> overflow;
            case 1 -> carry;
            case 2 -> zero;
            case 3 -> carry || zero;
            case 4 -> sign;
            case 5 -> even;
            case 6 -> sign != overflow;
            default -> zero || sign != overflow;
          };
      return is == ((code & 1) == 0);
    }
  }
}
