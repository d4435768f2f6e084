// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A program that stores words of 8 bytes to more lines than are known one by one, all in files of
 * zeros, and what these lines hold in a state of it. Nearly all of the lines are kept in few bytes.
 */
final class ManyLines {
  static final int FILE = 1;
  static final int OTHER = 2;
  static final int UNNAMED = 3;

  static final int LINE = 64;
  static final long PAGE = 4096;

  /** A place that is in another block of pages than the first lines. */
  static final long FAR = 4L << 20;

  /** So many lines are not few. */
  static final int MANY = CrashStates.FEW_LINES + 76;

  private static final int HOT_LINES = 3;
  private static final long FILE_BYTES = 1L << 30;

  private final CacheLineTracker tracker;
  private final ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private long ordinal;

  ManyLines() {
    this(HOT_LINES);
  }

  /** With so many lines that are kept with all that is known of them. */
  ManyLines(int hotLines) {
    tracker = new CacheLineTracker(PersistencyDomain.ADR, (file, offset, into) -> {}, hotLines);
    define(FILE, FileState.EXISTING);
    define(OTHER, FileState.EXISTING);
    define(UNNAMED, FileState.CREATED_UNNAMED);
  }

  private void define(int file, FileState state) {
    tracker.event(new TraceEvent.FileDefined(ordinal++, 1, file, state, FILE_BYTES, "pool" + file));
  }

  /** The ordinal of the next store. */
  long next() {
    return ordinal;
  }

  /** Stores a word by some instruction. */
  ManyLines store(int file, long offset, long value, int site) {
    bytes.putLong(0, value);
    try {
      tracker.store(
          new StoreRecord(
              ordinal++, 1, 0, site, site, Location.of(file, offset), Long.BYTES, bytes, 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Stores to the first word of consecutive lines: 1 to the first of them, 2 to the next. */
  ManyLines loop(int file, long offset, int lines, int site) {
    for (int line = 0; line < lines; line++) {
      store(file, offset + (long) line * LINE, line + 1, site);
    }
    return this;
  }

  /** {@link #MANY} lines of one loop. */
  static ManyLines ofOneLoop() {
    return new ManyLines().loop(FILE, 0, MANY, 5);
  }

  ManyLines flush(int file, long offset) {
    tracker.flush(ordinal++, 1, FlushKind.CLWB, 1, 1, Location.of(file, offset));
    return this;
  }

  CrashStates states() {
    return CrashStates.of(tracker);
  }

  /** The first words of the lines of a file that a state hands out, page by page. */
  static SortedMap<Long, Long> held(CrashState state, int file) {
    SortedMap<Long, Long> held = new TreeMap<>();
    for (long page : state.pages(file)) {
      held.putAll(held(state, file, page, page + PAGE));
    }
    return held;
  }

  /** The same for a part of the file. */
  static SortedMap<Long, Long> held(CrashState state, int file, long from, long to) {
    SortedMap<Long, Long> held = new TreeMap<>();
    state.lines(
        file,
        from,
        to,
        (offset, content) -> {
          if (held.put(offset, firstWord(content)) != null) {
            throw new AssertionError("line " + offset + " comes twice");
          }
        });
    return held;
  }

  static long firstWord(byte[] content) {
    return ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
