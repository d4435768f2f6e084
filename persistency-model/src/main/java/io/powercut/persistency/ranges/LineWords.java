// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.ranges;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A cache line as its eight units, each a little-endian word; and sets of bytes as bits. */
public final class LineWords {
  /** Bytes of a cache line. */
  public static final int LINE = 64;

  /** Units of a cache line. */
  public static final int UNITS = 8;

  private static final long UNIT_BYTES = 0xff;
  private static final long[] SPREAD = new long[1 << Byte.SIZE];

  static {
    for (int bits = 0; bits < SPREAD.length; bits++) {
      for (int index = 0; index < Long.BYTES; index++) {
        if ((bits >>> index & 1) != 0) {
          SPREAD[bits] |= 0xffL << (Byte.SIZE * index);
        }
      }
    }
  }

  private LineWords() {}

  public static long[] of(byte[] line) {
    long[] words = new long[UNITS];
    ByteBuffer.wrap(line).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    return words;
  }

  public static byte[] toBytes(long[] words) {
    byte[] line = new byte[LINE];
    ByteBuffer.wrap(line).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(words);
    return line;
  }

  /** The bytes from one place to another, exclusive; both in 0..64. */
  public static long bytes(int from, int to) {
    return from >= to ? 0 : (-1L >>> (LINE - (to - from))) << from;
  }

  /** All bytes of a unit. */
  public static long unit(int unit) {
    return UNIT_BYTES << (Byte.SIZE * unit);
  }

  /** Those bytes of a word that belong to a set of bytes of the line, as a mask of bits. */
  public static long bits(long bytes, int unit) {
    return SPREAD[(int) (bytes >>> (Byte.SIZE * unit) & UNIT_BYTES)];
  }

  /** The bytes in which some bit is set: a bit for each byte. */
  public static long touched(long[] words) {
    long bytes = 0;
    for (int unit = 0; unit < UNITS; unit++) {
      for (int index = 0; index < Long.BYTES; index++) {
        if ((words[unit] >>> (Byte.SIZE * index) & 0xff) != 0) {
          bytes |= 1L << (Long.BYTES * unit + index);
        }
      }
    }
    return bytes;
  }

  /** Sets bytes of a line to those of another. */
  public static void copy(long[] words, long[] from, long bytes) {
    for (int unit = 0; unit < UNITS; unit++) {
      long bits = bits(bytes, unit);
      words[unit] = (words[unit] & ~bits) | (from[unit] & bits);
    }
  }

  /** Sets bytes of a line to zero. */
  public static void clear(long[] words, long bytes) {
    for (int unit = 0; unit < UNITS; unit++) {
      words[unit] &= ~bits(bytes, unit);
    }
  }
}
