// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import io.powercut.trace.replay.TraceTables;
import java.io.IOException;

/**
 * Receives the records of a trace, in order, each once.
 *
 * <p>Stores, loads, flushes and fences, nearly all of a trace, come so that nothing is allocated;
 * everything else as {@link TraceEvent}. The ordinal counts all records of the trace from 0.
 * Threads are numbered by {@link TraceEvent.ThreadStarted}, sites by {@link
 * TraceEvent.SiteDefined}, stacks by {@link TraceEvent.StackDefined}; {@link TraceTables} resolves
 * these numbers.
 *
 * <p>{@link TraceEvent#consumer} adapts code that would rather have every record as an object.
 */
public interface TraceConsumer {
  /**
   * A store to persistent memory.
   *
   * @param store valid during the call only
   * @throws IOException when the consumer cannot continue; ends the pass
   */
  default void store(StoreRecord store) throws IOException {}

  /**
   * A cache-line flush.
   *
   * @param location of the cache line; its file is 0 when volatile memory was flushed
   * @throws IOException when the consumer cannot continue; ends the pass
   */
  default void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {}

  /**
   * A fence. That of a locked instruction comes before its store.
   *
   * @throws IOException when the consumer cannot continue; ends the pass
   */
  default void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {}

  /**
   * A load from persistent memory, where the program has several threads and loads are recorded.
   *
   * @param flags those of {@link TraceEvent.Load}
   * @param location the first byte's {@link Location}; never volatile
   * @param size in bytes, at least 1; all in one file
   * @throws IOException when the consumer cannot continue; ends the pass
   */
  default void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size)
      throws IOException {}

  /**
   * Any other record: never an {@link InstructionEvent}.
   *
   * @throws IOException when the consumer cannot continue; ends the pass
   */
  default void event(TraceEvent event) throws IOException {}

  /**
   * All records that are there now have been handed out and the reader may wait for more. Called
   * often while a growing trace is followed, once at the end of a complete one.
   *
   * @throws IOException when the consumer cannot continue; ends the pass
   */
  default void caughtUp() throws IOException {}
}
