// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.persistency.lines.InFlightStore;
import java.util.OptionalLong;

/**
 * What a store put into one aligned unit of 8 bytes of a line.
 *
 * @param number of the unit in the line; -1 if values are not known
 * @param word the unit, its first byte lowest
 */
record StoredUnit(int number, long word) {
  static final StoredUnit UNKNOWN = new StoredUnit(-1, 0);

  /** The first unit that a store touches. */
  static StoredUnit of(InFlightStore store) {
    int number = store.firstByte() / Long.BYTES;
    return new StoredUnit(number, store.applied(0, number));
  }

  /**
   * The value of bytes in a row, the first lowest.
   *
   * @param first of the line
   * @return nothing unless all of them are in this unit
   */
  OptionalLong value(int first, int size) {
    int from = first - number * Long.BYTES;
    if (number < 0 || from < 0 || from + size > Long.BYTES) {
      return OptionalLong.empty();
    }
    long value = word >>> (from * Byte.SIZE);
    return OptionalLong.of(size == Long.BYTES ? value : value & ((1L << (size * Byte.SIZE)) - 1));
  }
}
