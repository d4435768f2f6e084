// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import static java.util.Objects.requireNonNull;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;

/** Hands every record on as it is; a subclass changes what it overrides. */
public abstract class ForwardingTraceConsumer implements TraceConsumer {
  private final TraceConsumer next;

  /**
   * @param next gets what is handed on
   */
  protected ForwardingTraceConsumer(TraceConsumer next) {
    this.next = requireNonNull(next, "next is null");
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    next.store(store);
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    next.flush(ordinal, thread, kind, site, stack, location);
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    next.fence(ordinal, thread, kind, site, stack);
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size)
      throws IOException {
    next.load(ordinal, thread, flags, site, stack, location, size);
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    next.event(event);
  }

  @Override
  public void caughtUp() throws IOException {
    next.caughtUp();
  }
}
