// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceException;
import io.powercut.trace.UndefinedNumberException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Decodes blocks of whole records and hands them to a consumer. */
public final class RecordDecoder {
  private final StoreRecord store = new StoreRecord();
  private final TraceConsumer consumer;
  private final SyncDecoder syncs = new SyncDecoder();
  private long records;

  RecordDecoder(TraceConsumer consumer) {
    this.consumer = consumer;
  }

  /** How many records were decoded so far: the ordinal of the next. */
  long records() {
    return records;
  }

  /**
   * Decodes the records between position and limit of a block.
   *
   * @param file for messages
   * @param base where in the file index 0 of the block lies, for messages
   */
  void decode(ByteBuffer block, Path file, long base) throws IOException {
    int position = block.position();
    int end = block.limit();
    try {
      while (position < end) {
        position += decodeRecord(block, position, end);
        records++;
      }
    } catch (RawRecord.DamagedException | UndefinedNumberException e) {
      TraceException damaged =
          new TraceException(
              file,
              base + position,
              "record " + records + " is damaged: " + e.getMessage(),
              TraceException.RECORD_AGAIN);
      damaged.initCause(e);
      throw damaged;
    }
  }

  private int decodeRecord(ByteBuffer block, int position, int end)
      throws IOException, RawRecord.DamagedException {
    if (end - position < TraceFormat.RECORD_HEADER_BYTES) {
      throw new RawRecord.DamagedException("it ends within its header");
    }
    long header = block.getLong(position);
    int length = (int) (header >>> 32);
    if (length < TraceFormat.RECORD_HEADER_BYTES || (length & 7) != 0 || length > end - position) {
      throw new RawRecord.DamagedException(
          "its length is " + length + " where " + (end - position) + " bytes are left");
    }
    int kind = (int) header & 0xff;
    int flags = (int) (header >>> 8) & 0xff;
    int thread = (int) (header >>> 16) & 0xffff;
    switch (kind) {
      case TraceFormat.STORE -> store(block, position, length, thread, flags, 0);
      case TraceFormat.STORE_ELEMENT ->
          store(block, position, length, thread, flags, StoreFlags.ELEMENT);
      case TraceFormat.FLUSH -> flush(block, position, length, thread, flags);
      case TraceFormat.FENCE -> fence(block, position, length, thread, flags);
      case TraceFormat.LOAD -> load(block, position, length, thread, flags);
      case TraceFormat.SYNC ->
          consumer.event(syncs.begin(new RawRecord(block, position, length, records)));
      case TraceFormat.SYNC_END ->
          consumer.event(syncs.end(new RawRecord(block, position, length, records)));
      default ->
          consumer.event(EventDecoder.decode(new RawRecord(block, position, length, records)));
    }
    return length;
  }

  private void store(ByteBuffer block, int position, int length, int thread, int flags, int further)
      throws IOException, RawRecord.DamagedException {
    int padding = (flags & TraceFormat.STORE_PADDING_MASK) >>> TraceFormat.STORE_PADDING_SHIFT;
    int size = length - TraceFormat.STORE_HEADER_BYTES - padding;
    if (size < 1) {
      throw new RawRecord.DamagedException("a store of " + size + " bytes");
    }
    long location = block.getLong(position + 16);
    if (Location.isVolatile(location)) {
      throw new RawRecord.DamagedException("a store to volatile memory");
    }
    store.set(
        records,
        thread,
        (flags & ~TraceFormat.STORE_PADDING_MASK) | further,
        block.getInt(position + 8),
        block.getInt(position + 12),
        location,
        size,
        block,
        position + TraceFormat.STORE_HEADER_BYTES);
    consumer.store(store);
  }

  private void flush(ByteBuffer block, int position, int length, int thread, int flags)
      throws IOException, RawRecord.DamagedException {
    @Nullable FlushKind kind = FlushKind.ofCode(flags);
    if (length != 24 || kind == null) {
      throw new RawRecord.DamagedException(
          "a flush of kind " + flags + " and " + length + " bytes");
    }
    consumer.flush(
        records,
        thread,
        kind,
        block.getInt(position + 8),
        block.getInt(position + 12),
        block.getLong(position + 16));
  }

  private void fence(ByteBuffer block, int position, int length, int thread, int flags)
      throws IOException, RawRecord.DamagedException {
    @Nullable FenceKind kind = FenceKind.ofCode(flags);
    if (length != 16 || kind == null) {
      throw new RawRecord.DamagedException(
          "a fence of kind " + flags + " and " + length + " bytes");
    }
    consumer.fence(records, thread, kind, block.getInt(position + 8), block.getInt(position + 12));
  }

  private void load(ByteBuffer block, int position, int length, int thread, int flags)
      throws IOException, RawRecord.DamagedException {
    if (length != TraceFormat.LOAD_BYTES
        || (flags & ~(TraceFormat.LOAD_LOCKED | TraceFormat.LOAD_KERNEL)) != 0) {
      throw new RawRecord.DamagedException(
          "a load with flags " + flags + " and of " + length + " bytes");
    }
    long location = block.getLong(position + 16);
    long size = block.getLong(position + 24);
    if (Location.isVolatile(location)) {
      throw new RawRecord.DamagedException("a load from volatile memory");
    }
    if (size < 1 || size > (1L << Location.OFFSET_BITS) - Location.offset(location)) {
      throw new RawRecord.DamagedException(
          "a load of " + size + " bytes at " + Location.toString(location));
    }
    consumer.load(
        records,
        thread,
        flags,
        block.getInt(position + 8),
        block.getInt(position + 12),
        location,
        size);
  }
}
