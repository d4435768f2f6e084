// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.reads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final ImageLine LINE = ImageLine.of("pool", 64);
  private static final int CONSTANT = 0;
  private static final int BYTES = 1;
  private static final int ADDITION = 2;
  private static final int SHIFT_RIGHT = 9;
  private static final int SIGN = 10;
  private static final int SUBTRACTED = 11;

  private static Conditions.Node bytes(int at, int size, int mask, long value) {
    return new Conditions.Node(BYTES, at, size, 0, mask, value);
  }

  private static Conditions.Node constant(long value) {
    return new Conditions.Node(CONSTANT, 0, 0, 0, 0, value);
  }

  private static Conditions.Node condition(int code, int size, int left, int right, boolean held) {
    return new Conditions.Node(SUBTRACTED, code, size, left, right, held ? 1 : 0);
  }

  private static Conditions conditions(Conditions.Node... nodes) {
    return new Conditions(List.of(LINE), nodes);
  }

  private static boolean hold(Conditions conditions, long... words) {
    long[] line = new long[Long.BYTES];
    System.arraycopy(words, 0, line, 0, words.length);
    return conditions.evaluation(one -> 0, 1).put(0, line);
  }

  @Test
  void sumOfTwoWordsShouldBeComputedAnew() {
    Conditions sum =
        conditions(
            bytes(0, 8, 0xff, 3),
            bytes(8, 8, 0xff, 4),
            new Conditions.Node(ADDITION, 0, 0, 1, 2, 7),
            constant(7),
            condition(4, 8, 3, 4, true));

    assertThat(hold(sum, 3, 4)).isTrue();
    assertThat(hold(sum, 1, 6)).isTrue();
    assertThat(hold(sum, 1, 7)).isFalse();
    assertThat(sum.bytes()).isEqualTo(Map.of(LINE, 0xffffL));
  }

  @Test
  void bytesThatAreNotMeantShouldStayAsTheyWere() {
    Conditions low =
        conditions(bytes(0, 2, 0b01, 0x1234), constant(0x1234), condition(4, 2, 1, 2, true));

    assertThat(hold(low, 0x9934)).as("only the first byte is meant").isTrue();
    assertThat(hold(low, 0x1235)).isFalse();
  }

  @Test
  void nodeOnWhichNoConditionDependsShouldNotMatter() {
    Conditions none = conditions(bytes(0, 8, 0xff, 3), constant(1));

    assertThat(none.isEmpty()).isTrue();
    assertThat(none.bytes()).isEmpty();
    assertThat(hold(none, 99)).isTrue();
  }

  @Test
  void signShouldBeExtendedAndBitsShifted() {
    Conditions negative =
        conditions(
            bytes(0, 1, 1, 0x80),
            new Conditions.Node(SIGN, 0, 1, 1, 0, -128),
            new Conditions.Node(SHIFT_RIGHT, 63, 0, 2, 0, 1),
            constant(1),
            condition(4, 8, 3, 4, true));

    assertThat(hold(negative, 0xff)).isTrue();
    assertThat(hold(negative, 0x7f)).isFalse();
  }

  @Test
  void flagsShouldBeThoseOfAComparison() {
    Random random = new Random(1);
    for (int trial = 0; trial < 10_000; trial++) {
      long left = random.nextBoolean() ? random.nextInt(4) - 2L : random.nextLong();
      long right = random.nextBoolean() ? random.nextInt(4) - 2L : random.nextLong();
      int size = List.of(1, 2, 4, 8).get(random.nextInt(4));
      long mask = size == 8 ? -1 : (1L << (8 * size)) - 1;
      List<Boolean> expected = new ArrayList<>();
      long one = signed(left & mask, size);
      long other = signed(right & mask, size);
      expected.add(signed((one - other) & mask, size) != one - other || overflows(one, other));
      expected.add(Long.compareUnsigned(left & mask, right & mask) < 0);
      expected.add(one == other);
      expected.add(Long.compareUnsigned(left & mask, right & mask) <= 0);
      expected.add(signed((one - other) & mask, size) < 0);
      expected.add(Long.bitCount((one - other) & 0xff) % 2 == 0);
      expected.add(one < other);
      expected.add(one <= other);
      for (int code = 0; code < 16; code++) {
        Conditions compared =
            conditions(
                bytes(0, size, 0xff, 0),
                bytes(8, size, 0xff, 0),
                condition(code, size, 1, 2, true));
        assertThat(hold(compared, left & mask, right & mask))
            .as("jump %d after %x - %x of %d bytes", code, left, right, size)
            .isEqualTo(expected.get(code / 2) == (code % 2 == 0));
      }
    }
  }

  private static long signed(long value, int size) {
    int unused = Long.SIZE - Byte.SIZE * size;
    return value << unused >> unused;
  }

  private static boolean overflows(long left, long right) {
    return ((left ^ right) & (left ^ (left - right))) < 0;
  }
}
