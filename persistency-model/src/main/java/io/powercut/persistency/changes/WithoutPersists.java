// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncEvent;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import java.io.IOException;

/**
 * Hands a trace on without the flushes, fences and synchronisations at one call stack, as if they
 * had been forgotten in the program. The fence of a locked instruction cannot be forgotten, and
 * stays.
 */
public final class WithoutPersists extends ForwardingTraceConsumer {
  private final int without;
  private long leftOut;

  /**
   * @param stack the number of the call stack in the trace, not 0
   */
  public WithoutPersists(int stack, TraceConsumer next) {
    super(next);
    if (stack == 0) {
      throw new IllegalArgumentException("0 is no call stack");
    }
    this.without = stack;
  }

  /** How many flushes, fences and synchronisations that succeeded were left out so far. */
  public long leftOut() {
    return leftOut;
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    if (stack == without) {
      leftOut++;
    } else {
      super.flush(ordinal, thread, kind, site, stack, location);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    if (stack == without && kind != FenceKind.LOCKED) {
      leftOut++;
    } else {
      super.fence(ordinal, thread, kind, site, stack);
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    if (event instanceof SyncEvent sync && sync.call().stack() == without) {
      leftOut += sync.isGuarantee() ? 1 : 0;
    } else {
      super.event(event);
    }
  }
}
