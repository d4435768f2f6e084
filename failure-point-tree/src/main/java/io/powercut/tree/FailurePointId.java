// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Identity of a failure point: a 64-bit hash over its call stack, the same under address-space
 * randomisation, on another machine and in the next run of the same binary.
 *
 * <p>FNV-1a 64 over, for each frame from the innermost out, the UTF-8 bytes of the module's base
 * name, a zero byte, and the eight little-endian bytes of the offset in the module. The recorder
 * computes the same.
 *
 * @param value the 64 bits, unsigned
 */
public record FailurePointId(long value) implements Comparable<FailurePointId> {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;
  private static final int DIGITS = 16;

  /** The identity of a stack with these frames, innermost first. */
  public static FailurePointId of(List<Frame> frames) {
    long hash = OFFSET_BASIS;
    for (Frame frame : frames) {
      for (byte character : frame.module().getBytes(StandardCharsets.UTF_8)) {
        hash = mix(hash, character);
      }
      hash = mix(hash, (byte) 0);
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        hash = mix(hash, (byte) (frame.offset() >>> shift));
      }
    }
    return new FailurePointId(hash);
  }

  /**
   * Reads back what {@link #toString} wrote; upper-case digits are taken too.
   *
   * @throws IllegalArgumentException naming the text when it is not 16 hexadecimal digits
   */
  public static FailurePointId parse(String text) {
    if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a failure point id: expected 16 hexadecimal digits");
    }
    return new FailurePointId(HexFormat.fromHexDigitsToLong(text));
  }

  private static long mix(long hash, byte octet) {
    return (hash ^ (octet & 0xff)) * PRIME;
  }

  /** Orders by the unsigned value. */
  @Override
  public int compareTo(FailurePointId other) {
    return Long.compareUnsigned(value, other.value);
  }

  // Written out, as replaying a trace looks up millions: those of a record are slow until the
  // optimising compiler has come to them.
  @Override
  public boolean equals(Object other) {
    return other instanceof FailurePointId id && id.value == value;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(value);
  }

  /** 16 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(value);
  }
}
