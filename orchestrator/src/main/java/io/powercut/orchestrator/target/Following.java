// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.TraceStore;
import io.powercut.trace.replay.FailurePointListener;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What follows a trace while the target runs.
 *
 * @param listener told of each failure point before the consumers get its instruction
 * @param store keeps the trace, if there is one
 * @param consumers get the trace
 * @param begun told of the beginning
 * @param ended told of the end
 */
public record Following(
    FailurePointListener listener,
    Optional<TraceStore> store,
    List<TraceConsumer> consumers,
    Begun begun,
    Ended ended) {
  /** Copies the list. */
  public Following {
    consumers = List.copyOf(consumers);
  }

  /** The trace is not kept, and nobody is told of the end. */
  public static Following of(FailurePointListener listener, List<TraceConsumer> consumers) {
    return new Following(listener, Optional.empty(), consumers, Begun.IGNORED, Ended.IGNORED);
  }

  /** The same trace, kept. */
  public Following storingInto(Optional<TraceStore> kept) {
    return new Following(listener, kept, consumers, begun, ended);
  }

  /** The same, which also tells somebody else of the beginning. */
  public Following beginning(Begun other) {
    return new Following(listener, store, consumers, other, ended);
  }

  /** The same, which also tells somebody else of the end. */
  public Following telling(Ended other) {
    return new Following(listener, store, consumers, begun, other);
  }

  /** Is told that the target is about to start. */
  @FunctionalInterface
  public interface Begun {
    /** Does nothing. */
    Begun IGNORED = reached -> {};

    /**
     * Before anything is recorded.
     *
     * @param reached gives how often the target has reached failure points up to now, which may be
     *     far beyond what was read of its trace
     */
    void as(LongSupplier reached);
  }

  /** Is told that the target has ended as it should, while its trace may still be read. */
  @FunctionalInterface
  public interface Ended {
    /** Does nothing. */
    Ended IGNORED = execution -> {};

    /** In a thread of its own. What it throws ends the run. */
    void as(Execution execution);
  }
}
