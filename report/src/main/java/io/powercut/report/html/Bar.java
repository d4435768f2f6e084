// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * One bar of a chart.
 *
 * @param label what it stands for
 * @param value its length in words
 * @param percent its length, 0 to 100 of the longest
 * @param style the name of its colour
 */
record Bar(String label, String value, String percent, String style) {
  /** Bars for values above zero, in their order. */
  static List<Bar> of(
      Map<String, ? extends Number> values,
      Function<Number, String> inWords,
      Function<String, String> style) {
    double longest = values.values().stream().mapToDouble(Number::doubleValue).max().orElse(0);
    return values.entrySet().stream()
        .filter(entry -> entry.getValue().doubleValue() > 0)
        .map(
            entry ->
                new Bar(
                    entry.getKey(),
                    inWords.apply(entry.getValue()),
                    String.format(
                        Locale.ROOT, "%.2f", 100 * entry.getValue().doubleValue() / longest),
                    style.apply(entry.getKey())))
        .toList();
  }
}
