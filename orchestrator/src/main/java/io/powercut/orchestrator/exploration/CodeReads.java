// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.InFlightLine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * For the code that stores, whether a recovery read what it had stored while that was in flight. By
 * all recoveries of a run that were watched. Safe for use by several threads.
 */
public final class CodeReads {
  private final Map<StoreCode, Integer> recoveries = new HashMap<>();
  private final Set<StoreCode> read = new HashSet<>();

  /**
   * A recovery was watched.
   *
   * @param lines in flight when its image was taken
   * @param bytes of a line that it depends on, a bit each, the lowest for the first; more if that
   *     is not sure
   */
  synchronized void add(List<InFlightLine> lines, ToLongFunction<InFlightLine> bytes) {
    Set<StoreCode> seen = new HashSet<>();
    for (InFlightLine line : lines) {
      // What is there whether or not the stores persist says nothing about them.
      long open = line.open();
      long depends = open == 0 ? 0 : bytes.applyAsLong(line) & open;
      for (InFlightStore store : line.stores()) {
        // Bytes of stores that are no longer known may be of the same code.
        long own = line.forgotten() > 0 ? open : store.bytes() & open;
        if (own != 0) {
          seen.add(store.code());
        }
        if ((own & depends) != 0) {
          read.add(store.code());
        }
      }
    }
    seen.forEach(code -> recoveries.merge(code, 1, Integer::sum));
  }

  /**
   * How many recoveries were watched while something was in flight that this code had stored.
   *
   * @return 0 if one of them read any of that, or may have
   */
  public synchronized int withoutRead(Predicate<StoreCode> code) {
    if (read.stream().anyMatch(code)) {
      return 0;
    }
    return recoveries.keySet().stream().filter(code).mapToInt(recoveries::get).sum();
  }
}
