// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.LockKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.TraceEvent.FileState;
import io.powercut.trace.TraceEvent.OutputKind;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells consumers what a program with threads does to a file, as the reader of a trace would. */
final class ThreadedTrace {
  static final int FILE = 1;
  static final int PROCESS = 100;

  /** Of each record, since its stack tells what there is to know. */
  private static final int SITE = 1;

  private static final ByteBuffer DATA = ByteBuffer.allocate(4096);

  /** Consumers may fail, and here they do not. */
  private interface Step {
    void on(TraceConsumer consumer) throws IOException;
  }

  final TraceTables tables = new TraceTables();
  private final Map<String, Integer> stacks = new HashMap<>();
  private final Map<String, Integer> sites = new HashMap<>();
  private List<TraceConsumer> consumers = List.of();
  private long ordinal;
  private int thread = 1;
  private int module = 1;

  /** Begins a trace of a file with a size in bytes. */
  ThreadedTrace telling(long size, TraceConsumer... others) {
    consumers = List.of(others);
    tell(new TraceEvent.ModuleDefined(ordinal++, 1, 1, "/bin/program", "", 0));
    tell(new TraceEvent.ThreadStarted(ordinal++, 1, 1, 0, PROCESS, 100));
    return tell(new TraceEvent.FileDefined(ordinal++, 1, FILE, FileState.EXISTING, size, "pool"));
  }

  /** Functions that are new from now on are in that module. */
  ThreadedTrace module(String name) {
    module++;
    return tell(new TraceEvent.ModuleDefined(ordinal++, 1, module, "/lib/" + name, "", 0));
  }

  /** What follows is done by that thread. */
  ThreadedTrace by(int number) {
    thread = number;
    return this;
  }

  /** The thread makes others. */
  ThreadedTrace starts(int... numbers) {
    for (int number : numbers) {
      tell(
          new TraceEvent.ThreadStarted(
              ordinal++, thread, number, thread, PROCESS, PROCESS + number));
    }
    return this;
  }

  /** The thread makes a process, whose thread has that number. */
  ThreadedTrace forks(int number) {
    return tell(
        new TraceEvent.ProcessStarted(ordinal++, number, PROCESS + number, PROCESS, thread));
  }

  /** The process of the thread runs another program from now on. */
  ThreadedTrace runs(String path) {
    return tell(new TraceEvent.ProgramReplaced(ordinal++, thread, PROCESS + thread, path));
  }

  ThreadedTrace exits() {
    return tell(new TraceEvent.ThreadExited(ordinal++, thread, thread));
  }

  ThreadedTrace joins(int number) {
    return tell(new TraceEvent.ThreadJoined(ordinal++, thread, number));
  }

  /** The thread waits for the end of a process, whose thread has that number. */
  ThreadedTrace waitsFor(int number) {
    return tell(new TraceEvent.ProcessJoined(ordinal++, thread, PROCESS + number));
  }

  ThreadedTrace store(String function, long offset, int size) {
    return store(function, 0, offset, size);
  }

  ThreadedTrace store(String function, int flags, long offset, int size) {
    return store(function, flags, offset, size, DATA);
  }

  /** Stores 8 bytes, each of that value. */
  ThreadedTrace storing(int value, String function, long offset) {
    byte[] bytes = new byte[8];
    Arrays.fill(bytes, (byte) value);
    return store(function, 0, offset, bytes.length, ByteBuffer.wrap(bytes));
  }

  private ThreadedTrace store(String function, int flags, long offset, int size, ByteBuffer data) {
    int stack = stack(function);
    long now = ordinal++;
    return all(
        consumer ->
            consumer.store(
                new StoreRecord(now, thread, flags, SITE, stack, at(offset), size, data, 0)));
  }

  /** The location of what lies at an offset. */
  static long at(long offset) {
    return Location.of(FILE, offset);
  }

  ThreadedTrace nonTemporal(String function, long offset, int size) {
    return store(function, StoreFlags.NON_TEMPORAL, offset, size);
  }

  ThreadedTrace load(String function, long offset, int size) {
    int stack = stack(function);
    long now = ordinal++;
    return all(
        consumer -> consumer.load(now, thread, 0, SITE, stack, Location.of(FILE, offset), size));
  }

  ThreadedTrace clwb(long offset) {
    return flush(FlushKind.CLWB, "flush", offset);
  }

  ThreadedTrace flush(FlushKind kind, String function, long offset) {
    int stack = stack(function);
    long now = ordinal++;
    return all(
        consumer -> consumer.flush(now, thread, kind, SITE, stack, Location.of(FILE, offset)));
  }

  ThreadedTrace fence(String function) {
    int stack = stack(function);
    long now = ordinal++;
    return all(consumer -> consumer.fence(now, thread, FenceKind.SFENCE, SITE, stack));
  }

  /** Persists the line of an offset, in the function "persist". */
  ThreadedTrace persist(long offset) {
    return clwb(offset).fence("persist");
  }

  ThreadedTrace lock(long mutex) {
    return acquire(LockKind.MUTEX, false, mutex);
  }

  ThreadedTrace unlock(long mutex) {
    return release(LockKind.MUTEX, mutex);
  }

  ThreadedTrace acquire(LockKind kind, boolean isShared, long object) {
    int stack = stack("acquire");
    return tell(new TraceEvent.Acquired(ordinal++, thread, kind, isShared, SITE, stack, object));
  }

  ThreadedTrace release(LockKind kind, long object) {
    int stack = stack("release");
    return tell(new TraceEvent.Released(ordinal++, thread, kind, SITE, stack, object));
  }

  /** Enters a function that allocates memory. */
  ThreadedTrace allocating(int depth) {
    return tell(new TraceEvent.Allocating(ordinal++, thread, depth));
  }

  /** The function has allocated that. */
  ThreadedTrace allocated(int depth, long offset, long size) {
    int stack = stack("allocate");
    return tell(new TraceEvent.Allocated(ordinal++, thread, SITE, stack, at(offset), size, depth));
  }

  ThreadedTrace allocationEnded(int depth) {
    return tell(new TraceEvent.AllocationEnded(ordinal++, thread, depth));
  }

  /** Allocates memory, with nothing else that the function does. */
  ThreadedTrace allocates(long offset, long size) {
    return allocating(0).allocated(0, offset, size).allocationEnded(0);
  }

  ThreadedTrace zero(long offset, long length) {
    return tell(new TraceEvent.FileZeroed(ordinal++, thread, FILE, offset, length));
  }

  ThreadedTrace prints() {
    return tell(
        new TraceEvent.Output(
            ordinal++,
            thread,
            OutputKind.STANDARD_OUTPUT,
            stack("print"),
            0,
            1,
            "",
            1,
            false,
            false,
            ByteBuffer.allocate(1)));
  }

  ThreadedTrace marks(TraceEvent.MarkKind kind) {
    return tell(new TraceEvent.Mark(ordinal++, thread, kind, stack("mark")));
  }

  long next() {
    return ordinal;
  }

  ThreadedTrace tell(TraceEvent event) {
    tables.event(event);
    return all(consumer -> consumer.event(event));
  }

  private ThreadedTrace all(Step step) {
    for (TraceConsumer consumer : consumers) {
      try {
        step.on(consumer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  /**
   * A call stack.
   *
   * @param functions innermost first, with {@code <} between; each is on a line of its own
   */
  private int stack(String functions) {
    Integer known = stacks.get(functions);
    if (known != null) {
      return known;
    }
    List<Integer> ofSites = Arrays.stream(functions.split(" < ")).map(this::site).toList();
    int number = stacks.size() + 1;
    stacks.put(functions, number);
    List<Frame> frames =
        ofSites.stream().map(site -> Frame.unknown("program", 0x10L * site)).toList();
    FailurePointId id = FailurePointId.of(frames);
    tell(new TraceEvent.StackDefined(ordinal++, 1, number, id, false, ofSites));
    return number;
  }

  private int site(String function) {
    Integer known = sites.get(function);
    if (known != null) {
      return known;
    }
    int number = sites.size() + 1;
    sites.put(function, number);
    SourcePosition position = new SourcePosition(function, "program.c", number);
    tell(
        new TraceEvent.SiteDefined(
            ordinal++, 1, number, module, 0x10L * number, List.of(position)));
    return number;
  }
}
