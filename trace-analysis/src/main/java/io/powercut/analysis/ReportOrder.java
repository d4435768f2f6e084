// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import java.util.Comparator;
import java.util.List;

/** The order of reports: by severity, kind, count, and places. */
final class ReportOrder {
  static final Comparator<PatternReport> COMPARATOR =
      Comparator.comparing(PatternReport::severity)
          .thenComparing(PatternReport::kind)
          .thenComparing(Comparator.comparingLong(PatternReport::count).reversed())
          .thenComparing(PatternReport::involved, ReportOrder::comparePlaces)
          .thenComparing(PatternReport::seen);

  private ReportOrder() {}

  private static int comparePlaces(List<Involved> left, List<Involved> right) {
    int shorter = Math.min(left.size(), right.size());
    for (int index = 0; index < shorter; index++) {
      int order = comparePlace(left.get(index), right.get(index));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.size(), right.size());
  }

  private static int comparePlace(Involved left, Involved right) {
    int order = Long.compareUnsigned(left.stack().id().value(), right.stack().id().value());
    return order != 0 ? order : left.instruction().compareTo(right.instruction());
  }
}
