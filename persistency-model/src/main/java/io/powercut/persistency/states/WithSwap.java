package io.powercut.persistency.states;

import static java.util.Objects.requireNonNull;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.ForwardingTraceConsumer;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands a trace on with the stores of some code behind the next store of some other code, as if the
 * program did them in that order. They wait no longer than until something else persists: a flush
 * of what they store to, a fence of their thread, or a system call that persists or changes files.
 *
 * <p>What the lines hold is not what a program with that order would leave in them; which stores
 * may be lost while others are there is.
 */
public final class WithSwap extends ForwardingTraceConsumer {
  private final StoreCode waiting;
  private final StoreCode first;
  private final boolean persistsFirst;
  private final List<Held> held = new ArrayList<>();

  /**
   * @param waiting the code whose stores wait
   * @param first the code for whose store they wait
   * @param persistsFirst whether that is flushed and fenced before they come
   * @param next gets the trace in that order
   */
  public WithSwap(StoreCode waiting, StoreCode first, boolean persistsFirst, TraceConsumer next) {
    super(next);
    this.waiting = requireNonNull(waiting, "waiting is null");
    this.first = requireNonNull(first, "first is null");
    this.persistsFirst = persistsFirst;
  }

  /** Whether a store that was told waits for the other. */
  public boolean isWaiting(long ordinal) {
    return held.stream().anyMatch(one -> one.ordinal() == ordinal);
  }

  /** A store that waits. */
  private record Held(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes) {
    boolean touchesLine(long line) {
      return location < line + LineWords.LINE && line < location + size;
    }
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
    StoreCode code = StoreCode.of(stack, site);
    if (code.equals(waiting)) {
      byte[] copy = new byte[size];
      bytes.get(offset, copy);
      held.add(
          new Held(
              ordinal,
              thread,
              flags,
              site,
              stack,
              location,
              size,
              ByteBuffer.wrap(copy).order(bytes.order())));
      return;
    }
    super.store(ordinal, thread, flags, site, stack, location, size, bytes, offset);
    if (code.equals(first) && (flags & StoreFlags.MORE) == 0) {
      if (persistsFirst) {
        super.flush(ordinal + 1, thread, FlushKind.CLWB, site, stack, location);
        super.flush(ordinal + 1, thread, FlushKind.CLWB, site, stack, location + size - 1);
        super.fence(ordinal, thread, FenceKind.SFENCE, site, stack);
      }
      release();
    }
  }

  private void release() throws IOException {
    for (Held one : held) {
      super.store(
          one.ordinal(),
          one.thread(),
          one.flags(),
          one.site(),
          one.stack(),
          one.location(),
          one.size(),
          one.bytes(),
          0);
    }
    held.clear();
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    if (held.stream().anyMatch(one -> one.touchesLine(location & -LineWords.LINE))) {
      release();
    }
    super.flush(ordinal, thread, kind, site, stack, location);
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    if (held.stream().anyMatch(one -> one.thread() == thread)) {
      release();
    }
    super.fence(ordinal, thread, kind, site, stack);
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    if (event instanceof TraceEvent.Sync
        || event instanceof TraceEvent.FileResized
        || event instanceof TraceEvent.FileZeroed) {
      release();
    }
    super.event(event);
  }
}
