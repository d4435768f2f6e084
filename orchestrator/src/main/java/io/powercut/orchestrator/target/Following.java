// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.TraceStore;
import io.powercut.trace.replay.FailurePointListener;
import java.util.List;
import java.util.Optional;

/**
 * What follows a trace while the target runs.
 *
 * @param listener told of each failure point before the consumers get its instruction
 * @param store keeps the trace, if there is one
 * @param consumers get the trace
 * @param ended told of the end
 */
public record Following(
    FailurePointListener listener,
    Optional<TraceStore> store,
    List<TraceConsumer> consumers,
    Ended ended) {
  /** Copies the list. */
  public Following {
    consumers = List.copyOf(consumers);
  }

  /** The trace is not kept, and nobody is told of the end. */
  public static Following of(FailurePointListener listener, List<TraceConsumer> consumers) {
    return new Following(listener, Optional.empty(), consumers, Ended.IGNORED);
  }

  /** The same trace, kept. */
  public Following storingInto(Optional<TraceStore> kept) {
    return new Following(listener, kept, consumers, ended);
  }

  /** The same, which also tells somebody else of the end. */
  public Following telling(Ended other) {
    return new Following(listener, store, consumers, other);
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
