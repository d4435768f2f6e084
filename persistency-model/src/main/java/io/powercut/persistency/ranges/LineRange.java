// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.ranges;

import io.powercut.trace.Location;

/**
 * Consecutive lines of one file. Locations have no sign.
 *
 * @param first the {@link Location} of the first line's first byte
 * @param last the same of the last line
 */
public record LineRange(long first, long last) {
  /** Bytes of a cache line. */
  public static final int LINE = LineWords.LINE;

  /** What the kernel synchronises at least by msync. */
  public static final int PAGE = 4096;

  /** The size that no file reaches. */
  public static final long WHOLE_FILE = 1L << Location.OFFSET_BITS;

  /** The first byte of the line that a location is in. */
  public static long lineOf(long location) {
    return location & -LINE;
  }

  /** Whether a range of bytes is empty or behind the end of all files. */
  public static boolean isEmpty(long from, long to) {
    return from >= Math.min(to, WHOLE_FILE);
  }

  /**
   * The lines that a range of bytes touches.
   *
   * @param to exclusive; the range is not {@linkplain #isEmpty(long, long) empty}
   */
  public static LineRange of(int file, long from, long to) {
    long end = Math.min(to, WHOLE_FILE);
    return new LineRange(lineOf(Location.of(file, from)), lineOf(Location.of(file, end - 1)));
  }

  /** The number of the file. */
  public int file() {
    return Location.file(first);
  }

  /** Whether a line is one of these. */
  public boolean contains(long line) {
    return Long.compareUnsigned(line, first) >= 0 && Long.compareUnsigned(line, last) <= 0;
  }

  /** How many lines these are. */
  public long count() {
    return (last - first) / LINE + 1;
  }
}
