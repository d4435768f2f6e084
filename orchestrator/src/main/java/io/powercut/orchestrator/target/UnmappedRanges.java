// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.trace.Location;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.Frame;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Calls of {@code powercut.h} that declare ranges where no persistent memory is mapped. */
final class UnmappedRanges implements TraceConsumer {
  private final TraceTables tables;
  private final Set<Integer> mapped = new HashSet<>();
  private final Set<Integer> unmapped = new LinkedHashSet<>();

  UnmappedRanges(TraceTables tables) {
    this.tables = tables;
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.RangeDeclared range) {
      (Location.isVolatile(range.location()) ? unmapped : mapped).add(range.site());
    }
  }

  /** What to say of calls that never did anything; code may well be used for both memories. */
  List<String> problems() {
    return unmapped.stream()
        .filter(site -> !mapped.contains(site))
        .map(
            site ->
                "the range that powercut.h declares at %s was never in persistent memory when it was declared, so it has no effect: declare it behind mmap"
                    .formatted(place(tables.frame(site))))
        .toList();
  }

  /** The caller of what the header defines. */
  private static String place(Frame frame) {
    return frame.positions().stream()
        .filter(position -> !position.fileName().equals("powercut.h"))
        .findFirst()
        .map(position -> frame.describe(position, false))
        .orElse(frame.address());
  }
}
