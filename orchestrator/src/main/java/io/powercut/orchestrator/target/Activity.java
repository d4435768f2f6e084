// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.MarkKind;
import java.util.EnumSet;
import java.util.Set;

/** What a target did to persistent memory at all, whether it was analysed or not. */
final class Activity implements TraceConsumer {
  private final Set<MarkKind> marks = EnumSet.noneOf(MarkKind.class);
  private boolean stores;

  @Override
  public void store(StoreRecord store) {
    stores = true;
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.Mark mark) {
      marks.add(mark.kind());
    }
  }

  /** Whether anything was stored to a PM file. */
  boolean stores() {
    return stores;
  }

  /** Whether a function was entered at which the analysis begins or ends. */
  boolean reached(MarkKind kind) {
    return marks.contains(kind);
  }
}
