// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import io.powercut.trace.TraceEvent.MarkKind;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells consumers what a program does, as the reader of a trace would. Files are "pool1"... */
final class TestTrace {
  /** A volatile address. */
  static final long VOLATILE = 0x7f00_0000_0040L;

  private static final ByteBuffer DATA = ByteBuffer.allocate(1 << 16);

  final TraceTables tables = new TraceTables();
  private final Map<String, Integer> stacks = new HashMap<>();
  private List<TraceConsumer> consumers = List.of(tables);
  private long ordinal;
  private int file = 1;
  private int thread = 1;
  private boolean withStacks = true;

  /** Sets who is told, besides the tables. */
  TestTrace telling(TraceConsumer... others) {
    consumers = List.of(others);
    tell(new TraceEvent.ModuleDefined(ordinal++, 1, 1, "/bin/program", "", 0));
    return this;
  }

  /** A file with a size in bytes. */
  TestTrace file(int number, long size) {
    return file(number, size, FileState.EXISTING);
  }

  TestTrace file(int number, long size, FileState state) {
    tell(new TraceEvent.FileDefined(ordinal++, 1, number, state, size, "pool" + number));
    return this;
  }

  /** What follows concerns that file. */
  TestTrace in(int number) {
    file = number;
    return this;
  }

  /** What follows is done by that thread. */
  TestTrace by(int number) {
    thread = number;
    return this;
  }

  /** What follows has no stacks, as without the recorder's option. */
  TestTrace withoutStacks() {
    withStacks = false;
    return this;
  }

  TestTrace store(String function, long offset, int size) {
    return store(function, 0, offset, size);
  }

  TestTrace nonTemporal(String function, long offset, int size) {
    return store(function, StoreFlags.NON_TEMPORAL, offset, size);
  }

  TestTrace store(String function, int flags, long offset, int size) {
    int stack = stack(function);
    long location = Location.of(file, offset);
    long now = ordinal++;
    for (TraceConsumer consumer : consumers) {
      try {
        consumer.store(
            new StoreRecord(
                now, thread, flags, stack, withStacks ? stack : 0, location, size, DATA, 0));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  TestTrace clwb(String function, long offset) {
    return flush(FlushKind.CLWB, function, Location.of(file, offset));
  }

  TestTrace flush(FlushKind kind, String function, long location) {
    int stack = stack(function);
    long now = ordinal++;
    for (TraceConsumer consumer : consumers) {
      try {
        consumer.flush(now, thread, kind, stack, withStacks ? stack : 0, location);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  TestTrace sfence(String function) {
    return fence(FenceKind.SFENCE, function);
  }

  TestTrace fence(FenceKind kind, String function) {
    int stack = stack(function);
    long now = ordinal++;
    for (TraceConsumer consumer : consumers) {
      try {
        consumer.fence(now, thread, kind, stack, withStacks ? stack : 0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  /** A synchronisation that succeeds; length 0: up to the file's end. */
  TestTrace sync(SyncKind kind, long offset, long length) {
    return syncEnds(syncBegins(kind, offset, length), 0);
  }

  TraceEvent.Sync syncBegins(SyncKind kind, long offset, long length) {
    boolean hasFile = kind != SyncKind.SYNC && kind != SyncKind.DIRECTORY;
    long location = hasFile ? Location.of(file, offset) : 0;
    int stack = stack("sync");
    TraceEvent.Sync sync =
        new TraceEvent.Sync(ordinal++, thread, kind, stack, stack, location, length);
    tell(sync);
    return sync;
  }

  TestTrace syncEnds(TraceEvent.Sync sync, int error) {
    tell(new TraceEvent.SyncEnded(ordinal++, thread, sync, error));
    return this;
  }

  TestTrace resize(long size) {
    tell(new TraceEvent.FileResized(ordinal++, thread, file, size));
    return this;
  }

  TestTrace punch(long offset, long length) {
    tell(new TraceEvent.FileZeroed(ordinal++, thread, file, offset, length));
    return this;
  }

  TestTrace delete(boolean hasOtherNames) {
    tell(new TraceEvent.FileDeleted(ordinal++, thread, file, "pool" + file, hasOtherNames));
    return this;
  }

  TestTrace mark(MarkKind kind) {
    tell(new TraceEvent.Mark(ordinal++, thread, kind, stack("mark")));
    return this;
  }

  /** Any other event. */
  TestTrace tell(TraceEvent event) {
    tables.event(event);
    for (TraceConsumer consumer : consumers) {
      try {
        consumer.event(event);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  long nextOrdinal() {
    return ordinal++;
  }

  /** The stack of main and a function; one whose name begins with "excluded" is. */
  private int stack(String function) {
    Integer known = stacks.get(function);
    return known != null ? known : define(function);
  }

  private int define(String function) {
    int number = stacks.size() + 1;
    stacks.put(function, number);
    long offset = 0x10L * number;
    SourcePosition position = new SourcePosition(function, "program.c", number);
    tell(new TraceEvent.SiteDefined(ordinal++, 1, number, 1, offset, List.of(position)));
    FailurePointId id = FailurePointId.of(List.of(Frame.unknown("program", offset)));
    boolean isExcluded = function.startsWith("excluded");
    tell(new TraceEvent.StackDefined(ordinal++, 1, number, id, isExcluded, List.of(number)));
    return number;
  }
}
