// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amounts written as numbers with units, such as {@code 1h30m}: the greatest unit first, each at
 * most once.
 */
final class Units {
  private static final BigInteger GREATEST = BigInteger.valueOf(Long.MAX_VALUE);

  private final Map<String, Long> units;
  private final Pattern pattern;

  /**
   * Makes a set of units.
   *
   * @param units how many of the smallest unit each is, in descending order
   * @param compound true if several units may follow each other
   */
  Units(Map<String, Long> units, boolean compound) {
    this.units = new LinkedHashMap<>(units);
    this.pattern = Pattern.compile(compound ? compoundPattern(units) : simplePattern(units));
  }

  String pattern() {
    return pattern.pattern();
  }

  /**
   * The amount in the smallest unit, or nothing if it is not written so or does not fit into a
   * long.
   */
  Optional<Long> parse(String text) {
    if (!pattern.matcher(text).matches()) {
      return Optional.empty();
    }
    Matcher matcher = Pattern.compile("([0-9]+)([A-Za-z]+)").matcher(text);
    BigInteger sum = BigInteger.ZERO;
    while (matcher.find()) {
      BigInteger factor = BigInteger.valueOf(units.getOrDefault(matcher.group(2), 1L));
      sum = sum.add(new BigInteger(matcher.group(1)).multiply(factor));
    }
    return sum.compareTo(GREATEST) > 0 ? Optional.empty() : Optional.of(sum.longValueExact());
  }

  /** The amount in as many units as it takes. */
  String formatCompound(long amount) {
    StringBuilder text = new StringBuilder();
    long rest = amount;
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (rest >= unit.getValue()) {
        text.append(rest / unit.getValue()).append(unit.getKey());
        rest %= unit.getValue();
      }
    }
    return text.isEmpty() ? format(0) : text.toString();
  }

  /** The amount in the greatest unit that divides it. */
  String format(long amount) {
    String text = "";
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (amount % unit.getValue() == 0 && (amount != 0 || unit.getValue() == 1)) {
        return amount / unit.getValue() + unit.getKey();
      }
    }
    return text;
  }

  private static String compoundPattern(Map<String, Long> units) {
    StringBuilder pattern = new StringBuilder("(?=[0-9])");
    units.keySet().forEach(unit -> pattern.append("([0-9]{1,18}").append(unit).append(")?"));
    return pattern.toString();
  }

  private static String simplePattern(Map<String, Long> units) {
    return "[0-9]{1,18}(" + String.join("|", units.keySet()) + ")";
  }
}
