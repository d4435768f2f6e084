// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.util.List;

/** Hands every record to several consumers in turn, so that a trace is decoded once. */
final class FanOut implements TraceConsumer {
  private final TraceConsumer[] consumers;

  private FanOut(TraceConsumer[] consumers) {
    this.consumers = consumers;
  }

  static TraceConsumer of(List<TraceConsumer> consumers) {
    return consumers.size() == 1
        ? consumers.get(0)
        : new FanOut(consumers.toArray(TraceConsumer[]::new));
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.store(store);
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.flush(ordinal, thread, kind, site, stack, location);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.fence(ordinal, thread, kind, site, stack);
    }
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size)
      throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.load(ordinal, thread, flags, site, stack, location, size);
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.event(event);
    }
  }

  @Override
  public void caughtUp() throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.caughtUp();
    }
  }
}
