package io.powercut.persistency.states;

import static java.util.Objects.requireNonNull;

import io.powercut.instrumentation.trace.FenceKind;
import io.powercut.instrumentation.trace.FlushKind;
import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.instrumentation.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Hands a trace on without the flushes and fences at one call stack, as if they had been forgotten
 * in the program. The fence of a locked instruction cannot be forgotten, and stays.
 */
public final class WithoutPersists implements TraceConsumer {
  private final int without;
  private final TraceConsumer next;
  private long leftOut;

  /**
   * @param stack the number of the call stack in the trace, not 0
   */
  public WithoutPersists(int stack, TraceConsumer next) {
    if (stack == 0) {
      throw new IllegalArgumentException("0 is no call stack");
    }
    this.without = stack;
    this.next = requireNonNull(next, "next is null");
  }

  /** How many flushes and fences were left out so far. */
  public long leftOut() {
    return leftOut;
  }

  @Override
  public void store(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset)
      throws IOException {
    next.store(ordinal, thread, flags, site, stack, location, size, bytes, offset);
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    if (stack == without) {
      leftOut++;
    } else {
      next.flush(ordinal, thread, kind, site, stack, location);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    if (stack == without && kind != FenceKind.LOCKED) {
      leftOut++;
    } else {
      next.fence(ordinal, thread, kind, site, stack);
    }
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
