// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of data.
 *
 * @param bytes zero or more
 */
public record DataSize(long bytes) implements Comparable<DataSize> {
  private static final Pattern SYNTAX = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");
  private static final Map<String, Long> UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("B", 1L),
          Map.entry("KB", 1000L),
          Map.entry("MB", 1000_000L),
          Map.entry("GB", 1000_000_000L),
          Map.entry("TB", 1000_000_000_000L),
          Map.entry("KIB", 1L << 10),
          Map.entry("MIB", 1L << 20),
          Map.entry("GIB", 1L << 30),
          Map.entry("TIB", 1L << 40));
  private static final String[] BINARY_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  /** Nothing. */
  public static final DataSize ZERO = new DataSize(0);

  /** Refuses negative amounts. */
  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size is never negative: " + bytes);
    }
  }

  /** So many bytes. */
  public static DataSize ofBytes(long bytes) {
    return new DataSize(bytes);
  }

  /** So many times 1024 bytes. */
  public static DataSize ofKibibytes(long kibibytes) {
    return new DataSize(Math.multiplyExact(kibibytes, 1L << 10));
  }

  /** So many times 1024 * 1024 bytes. */
  public static DataSize ofMebibytes(long mebibytes) {
    return new DataSize(Math.multiplyExact(mebibytes, 1L << 20));
  }

  /** So many times 1024 * 1024 * 1024 bytes. */
  public static DataSize ofGibibytes(long gibibytes) {
    return new DataSize(Math.multiplyExact(gibibytes, 1L << 30));
  }

  /**
   * Reads {@code 512}, {@code 64KiB}, {@code 1.5 GiB}, {@code 2GB}; a K, M, G or T without i is a
   * power of 1000. Case does not matter.
   *
   * @throws IllegalArgumentException if the text is no size; the message quotes it and says what is
   *     wanted
   */
  public static DataSize parse(String text) {
    Matcher matcher = SYNTAX.matcher(text.strip());
    Long unit = matcher.matches() ? UNITS.get(matcher.group(2).toUpperCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new IllegalArgumentException(
          "not a size: \""
              + text
              + "\", want a number with a unit, like 512, 64KiB, 1.5GiB or 2GB");
    }
    BigDecimal bytes = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("the size is too large: \"" + text + "\"");
    }
    return new DataSize(bytes.setScale(0, RoundingMode.HALF_UP).longValueExact());
  }

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /**
   * In the largest binary unit that leaves a whole part, with at most one decimal: {@code 64MiB},
   * {@code 1.5GiB}.
   */
  @Override
  public String toString() {
    int unit = 0;
    double value = bytes;
    while (value >= 1024 && unit < BINARY_UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", value);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + BINARY_UNITS[unit];
  }
}
