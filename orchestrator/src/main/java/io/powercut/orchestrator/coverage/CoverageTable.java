// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Coverage as an aligned table; beside each count how much it is above that of the row before. */
public final class CoverageTable {
  private CoverageTable() {}

  /** The lines, heading first. */
  public static List<String> of(List<CoveragePoint> points) {
    List<String> lines = new ArrayList<>();
    lines.add("unique failure points by granularity, and growth");
    lines.add(
        String.format(
            Locale.ROOT, "%12s  %18s  %18s  %9s", "operations", "persistency", "store", "seconds"));
    int persistency = 0;
    int store = 0;
    for (CoveragePoint point : points) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%12s  %9d %8s  %9d %8s  %9.1f",
              point.size().label(),
              point.persistency(),
              growth(persistency, point.persistency()),
              point.store(),
              growth(store, point.store()),
              point.seconds()));
      persistency = point.persistency();
      store = point.store();
    }
    return lines;
  }

  private static String growth(int before, int now) {
    return before == 0
        ? ""
        : String.format(Locale.ROOT, "%+.1f%%", 100.0 * (now - before) / before);
  }
}
