// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.report.rundir.OutsideWrites;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Adds up what the target persists outside its PM directory. */
final class OutsideLog implements TraceConsumer {
  private final Map<String, Long> times = new LinkedHashMap<>();

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.PersistedOutside outside) {
      times.merge(outside.path(), outside.times(), Long::sum);
    }
  }

  /** All so far; nothing if there was none. */
  Optional<OutsideWrites> writes() {
    return times.isEmpty() ? Optional.empty() : Optional.of(new OutsideWrites(times));
  }
}
