// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.blame;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A file of lines, zero at first, with stores of words of 8 bytes by one thread. */
public final class StoresByHand {
  private static final int LINE = 64;
  private static final int FILE = 1;

  private final byte[] memory;
  private final CacheLineTracker pending;
  private long ordinal;

  /** With 64 lines. */
  public StoresByHand() {
    this(64);
  }

  public StoresByHand(int lines) {
    memory = new byte[lines * LINE];
    pending =
        new CacheLineTracker(
            PersistencyDomain.ADR,
            (file, offset, into) ->
                System.arraycopy(memory, Math.toIntExact(offset), into, 0, into.length));
    pending.event(
        new TraceEvent.FileDefined(
            ordinal++, 1, FILE, TraceEvent.FileState.EXISTING, memory.length, "pool"));
  }

  /** A store of 8 bytes to a place in a line. */
  public StoresByHand store(int line, int word, long value, int stack) {
    return wide(line, word, stack, 0, value);
  }

  /** A store of words that lie one behind the other, also in the next line. */
  StoresByHand wide(int line, int word, int stack, int flags, long... values) {
    int offset = line * LINE + word * Long.BYTES;
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    try {
      pending.store(
          new StoreRecord(
              ordinal++,
              1,
              flags,
              stack,
              stack,
              Location.of(FILE, offset),
              bytes.capacity(),
              bytes,
              0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.arraycopy(bytes.array(), 0, memory, offset, bytes.capacity());
    return this;
  }

  public StoresByHand flush(int line) {
    pending.flush(ordinal++, 1, FlushKind.CLWB, 0, 0, Location.of(FILE, (long) line * LINE));
    return this;
  }

  public StoresByHand fence() {
    pending.fence(ordinal++, 1, FenceKind.SFENCE, 0, 0);
    return this;
  }

  public CrashStates states() {
    return CrashStates.of(pending);
  }

  /** What a word of the file holds in a state. */
  public long word(CrashState state, int line, int word) {
    byte[] content = Arrays.copyOfRange(memory, line * LINE, (line + 1) * LINE);
    long start = (long) line * LINE;
    state.lines(
        FILE, start, start + LINE, (offset, lost) -> System.arraycopy(lost, 0, content, 0, LINE));
    return ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong(word * Long.BYTES);
  }
}
