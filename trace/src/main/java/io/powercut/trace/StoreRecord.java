// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The record of a store to persistent memory. Large stores come as several records.
 *
 * <p>A reader hands out one object for all its stores, so that nothing is allocated: it is valid
 * during the call only. Whoever keeps a store keeps a {@link #copy}.
 */
public final class StoreRecord {
  private long ordinal;
  private int thread;
  private int flags;
  private int site;
  private int stack;
  private long location;
  private int size;
  private ByteBuffer bytes;
  private int offset;

  /** The object of a reader; it means nothing until it is {@link #set}. */
  public StoreRecord() {
    this.bytes = ByteBuffer.allocate(0);
  }

  /**
   * A store.
   *
   * @param ordinal its place in the trace, counted from 0 over all records
   * @param thread as {@link TraceEvent.ThreadStarted} numbers it
   * @param flags {@link StoreFlags}
   * @param site the instruction
   * @param stack the call stack, 0 when it was not collected
   * @param location the first byte's {@link Location}; never volatile
   * @param size bytes stored, at least 1
   * @param bytes holds the stored bytes from index {@code offset}; its byte order does not matter
   * @param offset their index in {@code bytes}
   */
  public StoreRecord(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset) {
    this.ordinal = ordinal;
    this.thread = thread;
    this.flags = flags;
    this.site = site;
    this.stack = stack;
    this.location = location;
    this.size = size;
    this.bytes =
        requireNonNull(bytes, "bytes is null").order() == ByteOrder.LITTLE_ENDIAN
            ? bytes
            : bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    this.offset = offset;
  }

  /** Makes this the record at an index of a block, which is little-endian. */
  public void set(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset) {
    this.ordinal = ordinal;
    this.thread = thread;
    this.flags = flags;
    this.site = site;
    this.stack = stack;
    this.location = location;
    this.size = size;
    this.bytes = bytes;
    this.offset = offset;
  }

  /** The same store, with its own bytes. */
  public StoreRecord copy() {
    byte[] own = new byte[size];
    bytes.get(offset, own);
    ByteBuffer copy = ByteBuffer.wrap(own).order(bytes.order());
    return new StoreRecord(ordinal, thread, flags, site, stack, location, size, copy, 0);
  }

  /** The same store with other {@link StoreFlags}, valid as long as this one. */
  public StoreRecord withFlags(int others) {
    return new StoreRecord(ordinal, thread, others, site, stack, location, size, bytes, offset);
  }

  /** Its place in the trace, counted from 0 over all records. */
  public long ordinal() {
    return ordinal;
  }

  /** The number of the thread that stored. */
  public int thread() {
    return thread;
  }

  /** {@link StoreFlags}. */
  public int flags() {
    return flags;
  }

  /** The instruction. */
  public int site() {
    return site;
  }

  /** The call stack; 0 when it was not collected. */
  public int stack() {
    return stack;
  }

  /** The first byte's {@link Location}; never volatile. */
  public long location() {
    return location;
  }

  /** How many bytes were stored, at least 1. */
  public int size() {
    return size;
  }

  /**
   * Holds the stored bytes from index {@link #offset}; little-endian. Its position and limit mean
   * nothing and must not be changed.
   */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** The index of the first byte in {@link #bytes}. */
  public int offset() {
    return offset;
  }

  /**
   * Eight of the stored bytes as a number, the first of them lowest; 0 in place of those behind the
   * store's end.
   *
   * @param first the place in the store of the first of them, in bytes
   */
  public long word(int first) {
    if (size - first >= Long.BYTES) {
      return bytes.getLong(offset + first);
    }
    long word = 0;
    for (int index = first; index < size; index++) {
      word |= Byte.toUnsignedLong(bytes.get(offset + index)) << (Byte.SIZE * (index - first));
    }
    return word;
  }

  /** Whether it went past the cache. */
  public boolean isNonTemporal() {
    return (flags & StoreFlags.NON_TEMPORAL) != 0;
  }

  /** Whether the thread's next record belongs to the same store. */
  public boolean hasMore() {
    return (flags & StoreFlags.MORE) != 0;
  }

  /** Whether it is a further element of the thread's string instruction. */
  public boolean isElement() {
    return (flags & StoreFlags.ELEMENT) != 0;
  }

  /** Whether it is a write that makes its bytes durable before it returns. */
  public boolean isSynchronousWrite() {
    return StoreFlags.isSynchronousWrite(flags);
  }
}
