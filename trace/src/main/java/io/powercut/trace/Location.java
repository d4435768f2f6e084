// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

/**
 * Where in memory something happened, packed into 64 bits as the trace has it: a PM file's number
 * in the upper 16 bits and the offset in that file in the lower 48, so that all mappings of one
 * file meet. File 0 stands for volatile memory, whose offset is its virtual address.
 */
public final class Location {
  /** Bits of the offset. */
  public static final int OFFSET_BITS = 48;

  private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

  private Location() {}

  /** The PM file's number, from 1; 0 for volatile memory. */
  public static int file(long location) {
    return (int) (location >>> OFFSET_BITS);
  }

  /** The offset in the file in bytes, or the virtual address. */
  public static long offset(long location) {
    return location & OFFSET_MASK;
  }

  /** Whether the location lies in volatile memory. */
  public static boolean isVolatile(long location) {
    return file(location) == 0;
  }

  /** Packs a location. */
  public static long of(int file, long offset) {
    if (file < 0 || file > 0xffff || (offset & ~OFFSET_MASK) != 0) {
      throw new IllegalArgumentException("not a location: file " + file + ", offset " + offset);
    }
    return ((long) file << OFFSET_BITS) | offset;
  }

  /** {@code 1:0x2040}, or {@code volatile:0x7f...}. */
  public static String toString(long location) {
    return (isVolatile(location) ? "volatile" : Integer.toString(file(location)))
        + ":0x"
        + Long.toHexString(offset(location));
  }
}
