// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncKind;
import java.nio.ByteBuffer;

/** One event of a small program on one PM file. Offsets and lengths are in bytes. */
sealed interface Step {
  /** How a store comes to the file. */
  enum Way {
    CACHED,
    NON_TEMPORAL,
    /** A write through a descriptor with {@code O_DSYNC}. */
    SYNCHRONOUS,
    /** A string operation, such as {@code rep movs}. */
    STRING
  }

  /**
   * A store.
   *
   * @param records in how many records the trace has it; of a string operation: its elements, all
   *     of one size
   */
  record Store(int thread, int offset, ByteBuffer bytes, Way way, int records) implements Step {
    boolean nonTemporal() {
      return way == Way.NON_TEMPORAL;
    }
  }

  /** A flush of the line of a byte. */
  record Flush(int thread, FlushKind kind, int offset) implements Step {}

  /** A fence. */
  record Fence(int thread, FenceKind kind) implements Step {}

  /** A synchronisation that succeeds; length 0: up to the end of the file. */
  record Sync(int thread, SyncKind kind, int offset, int length) implements Step {}

  /** A synchronisation is called. */
  record SyncBegins(Sync sync) implements Step {}

  /** The last one that the thread called is over. */
  record SyncEnds(int thread, boolean succeeds) implements Step {}

  /** A range is set to zero. */
  record Zero(int offset, int length) implements Step {}

  /** The file has a new size. */
  record Resize(int size) implements Step {}
}
