// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Hands every record to several consumers in turn, so that a trace is decoded once. Each gets only
 * the kinds of records that it has a method for: at millions of records, the calls of methods that
 * do nothing cost more than the decoding.
 */
final class FanOut implements TraceConsumer {
  private final TraceConsumer[] stores;
  private final TraceConsumer[] flushes;
  private final TraceConsumer[] fences;
  private final TraceConsumer[] loads;
  private final TraceConsumer[] events;
  private final TraceConsumer[] caughtUp;

  private FanOut(List<TraceConsumer> consumers) {
    stores = having("store", consumers);
    flushes = having("flush", consumers);
    fences = having("fence", consumers);
    loads = having("load", consumers);
    events = having("event", consumers);
    caughtUp = having("caughtUp", consumers);
  }

  static TraceConsumer of(List<TraceConsumer> consumers) {
    return consumers.size() == 1 ? consumers.get(0) : new FanOut(consumers);
  }

  /** Those with an own method of that name. */
  private static TraceConsumer[] having(String name, List<TraceConsumer> consumers) {
    return consumers.stream()
        .filter(consumer -> hasMethod(name, consumer.getClass()))
        .toArray(TraceConsumer[]::new);
  }

  private static boolean hasMethod(String name, Class<?> type) {
    return Arrays.stream(type.getMethods())
        .anyMatch(
            method ->
                method.getName().equals(name) && method.getDeclaringClass() != TraceConsumer.class);
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    for (TraceConsumer consumer : stores) {
      consumer.store(store);
    }
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location)
      throws IOException {
    for (TraceConsumer consumer : flushes) {
      consumer.flush(ordinal, thread, kind, site, stack, location);
    }
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack)
      throws IOException {
    for (TraceConsumer consumer : fences) {
      consumer.fence(ordinal, thread, kind, site, stack);
    }
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size)
      throws IOException {
    for (TraceConsumer consumer : loads) {
      consumer.load(ordinal, thread, flags, site, stack, location, size);
    }
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    for (TraceConsumer consumer : events) {
      consumer.event(event);
    }
  }

  @Override
  public void caughtUp() throws IOException {
    for (TraceConsumer consumer : caughtUp) {
      consumer.caughtUp();
    }
  }
}
