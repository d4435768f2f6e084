// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sweep;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many campaigns of a sweep came to what.
 *
 * @param campaigns all of them
 * @param kinds how many of each kind that there is
 */
public record SweepTotals(int campaigns, Map<SweepResult.Kind, Integer> kinds) {
  /** Copies the map. */
  public SweepTotals {
    Map<SweepResult.Kind, Integer> copy = new EnumMap<>(SweepResult.Kind.class);
    copy.putAll(kinds);
    kinds = copy;
  }

  /** Those of these campaigns. */
  public static SweepTotals of(List<SweepResult> results) {
    Map<SweepResult.Kind, Integer> kinds = new EnumMap<>(SweepResult.Kind.class);
    results.forEach(result -> kinds.merge(result.kind(), 1, Integer::sum));
    return new SweepTotals(results.size(), kinds);
  }

  /** How many had their turn. */
  public int reached() {
    return campaigns - count(SweepResult.Kind.NOT_RUN);
  }

  private int count(SweepResult.Kind kind) {
    return kinds.getOrDefault(kind, 0);
  }

  /** {@code 41 campaigns: 6 with bugs, 3 failed, 32 clean}. */
  public String inWords() {
    String parts =
        kinds.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey().words())
            .collect(Collectors.joining(", "));
    return campaigns
        + (campaigns == 1 ? " campaign" : " campaigns")
        + (parts.isEmpty() ? "" : ": " + parts);
  }
}
