package io.powercut.persistency.states;

import io.powercut.instrumentation.trace.FenceKind;
import io.powercut.instrumentation.trace.FlushKind;
import io.powercut.instrumentation.trace.SyncKind;
import java.nio.ByteBuffer;

/** One event of a small program on one PM file. Offsets and lengths are in bytes. */
sealed interface Step {
  /**
   * A store.
   *
   * @param records in how many records the trace has it
   */
  record Store(int thread, int offset, ByteBuffer bytes, boolean nonTemporal, int records)
      implements Step {}

  /** A flush of the line of a byte. */
  record Flush(int thread, FlushKind kind, int offset) implements Step {}

  /** A fence. */
  record Fence(int thread, FenceKind kind) implements Step {}

  /** A synchronisation; length 0: up to the end of the file. */
  record Sync(int thread, SyncKind kind, int offset, int length) implements Step {}

  /** A range is set to zero. */
  record Zero(int offset, int length) implements Step {}

  /** The file has a new size. */
  record Resize(int size) implements Step {}
}
