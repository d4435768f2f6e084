// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Makes an object of every record. */
final class EventConsumer implements TraceConsumer {
  private final Consumer<? super TraceEvent> receiver;

  EventConsumer(Consumer<? super TraceEvent> receiver) {
    this.receiver = receiver;
  }

  @Override
  public void store(StoreRecord store) {
    byte[] copy = new byte[store.size()];
    store.bytes().get(store.offset(), copy);
    ByteBuffer data = ByteBuffer.wrap(copy).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    receiver.accept(
        new TraceEvent.Store(
            store.ordinal(),
            store.thread(),
            store.flags(),
            store.site(),
            store.stack(),
            store.location(),
            data));
  }

  @Override
  public void flush(long ordinal, int thread, FlushKind kind, int site, int stack, long location) {
    receiver.accept(new TraceEvent.Flush(ordinal, thread, kind, site, stack, location));
  }

  @Override
  public void fence(long ordinal, int thread, FenceKind kind, int site, int stack) {
    receiver.accept(new TraceEvent.Fence(ordinal, thread, kind, site, stack));
  }

  @Override
  public void load(
      long ordinal, int thread, int flags, int site, int stack, long location, long size) {
    receiver.accept(new TraceEvent.Load(ordinal, thread, flags, site, stack, location, size));
  }

  @Override
  public void event(TraceEvent event) {
    receiver.accept(event);
  }
}
