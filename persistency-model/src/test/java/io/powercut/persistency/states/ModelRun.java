// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static java.util.Objects.requireNonNull;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.PmContents;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Runs a small program through {@link CacheLineTracker}, as a trace of it would. */
final class ModelRun implements PmContents {
  static final int FILE = 3;

  private static final int OFFSET_IN_BUFFER = 5;

  private final byte[] memory;

  /** By thread. */
  private final Map<Integer, TraceEvent.Sync> syncs = new HashMap<>();

  private final CacheLineTracker pending;

  /** By the first record of a store, the places of bytes that are not written to the file. */
  private final Map<Long, BitSet> left = new HashMap<>();

  private int size;
  private long ordinal;

  private ModelRun(PersistencyDomain domain, ByteBuffer initial, int mostHotLines) {
    this.memory = new byte[initial.capacity()];
    initial.get(0, memory);
    this.size = memory.length;
    this.pending = new CacheLineTracker(domain, this, mostHotLines);
    pending.event(
        new TraceEvent.FileDefined(
            ordinal++, 1, FILE, TraceEvent.FileState.EXISTING, size, "pool"));
  }

  /** The run of a program up to its crash. */
  static ModelRun of(SmallProgram program) {
    return of(program, CacheLineTracker.MOST_HOT_LINES);
  }

  /** The same with a limit of lines that are kept with all that is known of them. */
  static ModelRun of(SmallProgram program, int mostHotLines) {
    ModelRun run = new ModelRun(program.domain(), program.initial(), mostHotLines);
    run.steps(program);
    return run;
  }

  private void steps(SmallProgram program) {
    try {
      for (Step step : program.steps()) {
        step(step);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long sites() {
    return pending.inFlightPlaces();
  }

  CrashStates states() {
    return CrashStates.of(pending);
  }

  /** What the file holds when some bytes of some stores never get there. */
  static ByteBuffer without(SmallProgram program, CrashState state) {
    ModelRun run =
        new ModelRun(program.domain(), program.initial(), CacheLineTracker.MOST_HOT_LINES);
    for (LineDifference line : state.differences()) {
      for (InFlightStore store : line.missing()) {
        BitSet bytes = run.left.computeIfAbsent(store.ordinal(), ordinal -> new BitSet());
        BitSet.valueOf(new long[] {store.bytes()}).stream()
            .forEach(index -> bytes.set((int) Location.offset(line.location()) + index));
      }
    }
    run.steps(program);
    return run.programOrder();
  }

  /** What the file holds in program order. */
  ByteBuffer programOrder() {
    return ByteBuffer.wrap(memory.clone());
  }

  /** What it holds after a crash. */
  ByteBuffer memory(CrashState state) {
    byte[] changed = memory.clone();
    for (LineDifference line : state.differences()) {
      int offset = (int) Location.offset(line.location());
      System.arraycopy(line.bytes(), 0, changed, offset, line.bytes().length);
    }
    return ByteBuffer.wrap(changed);
  }

  @Override
  public void read(int file, long offset, byte[] into) {
    if (file != FILE) {
      throw new IllegalArgumentException("no file " + file);
    }
    System.arraycopy(memory, (int) offset, into, 0, into.length);
  }

  private void step(Step step) throws IOException {
    if (step instanceof Step.Store store) {
      store(store);
    } else if (step instanceof Step.Flush flush) {
      pending.flush(
          ordinal++, flush.thread(), flush.kind(), 1, 1, Location.of(FILE, flush.offset()));
    } else if (step instanceof Step.Fence fence) {
      pending.fence(ordinal++, fence.thread(), fence.kind(), 1, 1);
    } else if (step instanceof Step.Sync sync) {
      begin(sync);
      end(sync.thread(), 0);
    } else if (step instanceof Step.SyncBegins begins) {
      begin(begins.sync());
    } else if (step instanceof Step.SyncEnds ends) {
      end(ends.thread(), ends.succeeds() ? 0 : 22);
    } else if (step instanceof Step.Zero zero) {
      pending.event(new TraceEvent.FileZeroed(ordinal++, 1, FILE, zero.offset(), zero.length()));
      int end = Math.min(size, zero.offset() + zero.length());
      Arrays.fill(memory, Math.min(zero.offset(), end), end, (byte) 0);
    } else if (step instanceof Step.Resize resize) {
      pending.event(new TraceEvent.FileResized(ordinal++, 1, FILE, resize.size()));
      size = resize.size();
      Arrays.fill(memory, size, memory.length, (byte) 0);
    }
  }

  private void begin(Step.Sync sync) {
    boolean hasFile = sync.kind() != SyncKind.SYNC && sync.kind() != SyncKind.DIRECTORY;
    TraceEvent.Sync event =
        new TraceEvent.Sync(
            ordinal++,
            sync.thread(),
            sync.kind(),
            1,
            1,
            hasFile ? Location.of(FILE, sync.offset()) : 0,
            sync.length());
    syncs.put(sync.thread(), event);
    pending.event(event);
  }

  private void end(int thread, int error) {
    pending.event(
        new TraceEvent.SyncEnded(ordinal++, thread, requireNonNull(syncs.get(thread)), error));
  }

  private void store(Step.Store store) throws IOException {
    int length = store.bytes().capacity();
    ByteBuffer bytes = ByteBuffer.allocate(OFFSET_IN_BUFFER + length);
    bytes.put(OFFSET_IN_BUFFER, store.bytes(), 0, length);
    int records = Math.min(length, store.records());
    long first = ordinal;
    for (int record = 0; record < records; record++) {
      int from = length * record / records;
      int to = length * (record + 1) / records;
      boolean isString = store.way() == Step.Way.STRING;
      int more = record + 1 < records && !isString ? StoreFlags.MORE : 0;
      int element = record > 0 && isString ? StoreFlags.ELEMENT : 0;
      int way =
          switch (store.way()) {
            case CACHED, STRING -> 0;
            case NON_TEMPORAL -> StoreFlags.NON_TEMPORAL;
            case SYNCHRONOUS -> StoreFlags.SYNCHRONOUS_WRITE;
          };
      long named = isString ? ordinal : first;
      int offset = store.offset() + from;
      pending.store(
          new StoreRecord(
              ordinal++,
              store.thread(),
              more | element | way,
              7,
              8,
              Location.of(FILE, offset),
              to - from,
              bytes,
              OFFSET_IN_BUFFER + from));
      write(named, offset, bytes.slice(OFFSET_IN_BUFFER + from, to - from));
    }
  }

  private void write(long store, int offset, ByteBuffer bytes) {
    BitSet missing = left.getOrDefault(store, new BitSet());
    for (int index = 0; index < bytes.capacity(); index++) {
      if (offset + index < size && !missing.get(offset + index)) {
        memory[offset + index] = bytes.get(index);
      }
    }
  }
}
