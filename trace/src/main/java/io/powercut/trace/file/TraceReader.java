// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace once, from its beginning, and hands every record to its consumers.
 *
 * <p>A trace is the directory that the recorder writes, complete or still growing, or a file
 * written by {@link TraceStore}. Memory is bounded by the size of one chunk, whatever the trace's
 * length. Immutable; each {@link #read} is a separate pass.
 */
public final class TraceReader {
  private static final Duration SHORTEST_WAIT = Duration.ofNanos(100_000);
  private static final Duration LONGEST_WAIT = Duration.ofMillis(2);

  private final Path trace;
  private final @Nullable BooleanSupplier executionOver;
  private final boolean deleteConsumed;
  private final @Nullable TraceStore store;

  private TraceReader(
      Path trace,
      @Nullable BooleanSupplier executionOver,
      boolean deleteConsumed,
      @Nullable TraceStore store) {
    this.trace = trace;
    this.executionOver = executionOver;
    this.deleteConsumed = deleteConsumed;
    this.store = store;
  }

  /**
   * A reader of what is there when it reads: all of a complete trace, and of a killed or running
   * execution all records up to now.
   *
   * @param trace the recorder's directory, or a file of a {@link TraceStore}
   */
  public static TraceReader of(Path trace) {
    return new TraceReader(trace, null, false, null);
  }

  /**
   * A reader that follows a growing trace until the trace says that it has ended, or until the
   * execution is over, which must be said when it was killed. It waits for a recorder that has not
   * begun yet.
   *
   * @param over asked often, from the reading thread; true when no process of the execution is left
   */
  public TraceReader following(BooleanSupplier over) {
    return new TraceReader(trace, over, deleteConsumed, store);
  }

  /**
   * A reader that deletes each chunk once all consumers have had it, which lets a recorder with a
   * window continue. The trace can be read only once then.
   */
  public TraceReader deletingConsumedChunks() {
    return new TraceReader(trace, executionOver, true, store);
  }

  /** A reader that also copies all it reads into the store and marks it complete at the end. */
  public TraceReader storingInto(TraceStore target) {
    return new TraceReader(trace, executionOver, deleteConsumed, target);
  }

  /**
   * Reads to the end.
   *
   * @return the number of records
   * @throws TraceException when the trace is missing, truncated, damaged or of another version; the
   *     consumers have had all records before
   * @throws InterruptedIOException when the thread is interrupted while it waits for more
   * @throws IOException when the trace cannot be read, or what a consumer throws
   */
  public long read(TraceConsumer... consumers) throws IOException {
    return read(List.of(consumers));
  }

  /** As {@link #read(TraceConsumer...)}. */
  public long read(List<TraceConsumer> consumers) throws IOException {
    TraceConsumer consumer = FanOut.of(consumers);
    RecordDecoder decoder = new RecordDecoder(consumer);
    try (BlockSource source = open()) {
      pass(source, decoder, consumer);
    }
    if (store != null) {
      store.finish();
    }
    return decoder.records();
  }

  private BlockSource open() throws IOException {
    if (Files.isRegularFile(trace)) {
      return StoredSource.open(trace);
    }
    if (executionOver == null && !Files.isDirectory(trace)) {
      throw new TraceException(
          trace, "there is no trace of that name", "Name the trace of a run directory");
    }
    return new ChunkSource(trace, deleteConsumed);
  }

  private void pass(BlockSource source, RecordDecoder decoder, TraceConsumer consumer)
      throws IOException {
    long wait = SHORTEST_WAIT.toNanos();
    boolean over = executionOver == null;
    while (true) {
      if (source.next(over)) {
        handOut(source, decoder);
        wait = SHORTEST_WAIT.toNanos();
        continue;
      }
      consumer.caughtUp();
      if (over) {
        return;
      }
      // What was recorded before the end is looked for once more after the end was seen.
      over = executionOver == null || source.saysEnded() || executionOver.getAsBoolean();
      if (!over) {
        pause(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT.toNanos());
      }
    }
  }

  private void handOut(BlockSource source, RecordDecoder decoder) throws IOException {
    if (store != null) {
      store.append(source.block());
    }
    decoder.decode(source.block(), source.file(), source.base());
  }

  private static void pause(long nanoseconds) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while following a trace");
    }
    LockSupport.parkNanos(nanoseconds);
  }
}
