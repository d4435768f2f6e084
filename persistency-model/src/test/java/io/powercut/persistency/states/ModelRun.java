package io.powercut.persistency.states;

import io.powercut.instrumentation.trace.Location;
import io.powercut.instrumentation.trace.StoreFlags;
import io.powercut.instrumentation.trace.TraceEvent;
import io.powercut.persistency.PersistencyDomain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Runs a small program through {@link PendingStores}, as a trace of it would. */
final class ModelRun implements PmContents {
  static final int FILE = 3;

  private static final int OFFSET_IN_BUFFER = 5;

  private final byte[] memory;
  private final PendingStores pending;

  /** By the first record of a store, the places of bytes that are not written to the file. */
  private final Map<Long, BitSet> left = new HashMap<>();

  private int size;
  private long ordinal;

  private ModelRun(PersistencyDomain domain, ByteBuffer initial, int mostStores) {
    this.memory = new byte[initial.capacity()];
    initial.get(0, memory);
    this.size = memory.length;
    this.pending = new PendingStores(domain, this, mostStores);
    pending.event(
        new TraceEvent.FileDefined(
            ordinal++, 1, FILE, TraceEvent.FileState.EXISTING, size, "pool"));
  }

  /** The run of a program up to its crash. */
  static ModelRun of(SmallProgram program) {
    return of(program, Integer.MAX_VALUE);
  }

  /** The same with a limit of pending stores. */
  static ModelRun of(SmallProgram program, int mostStores) {
    ModelRun run = new ModelRun(program.domain(), program.initial(), mostStores);
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

  CrashStates states() {
    return pending.crashStates();
  }

  /** What the file holds when some bytes of some stores never get there. */
  static ByteBuffer without(SmallProgram program, CrashState state) {
    ModelRun run = new ModelRun(program.domain(), program.initial(), Integer.MAX_VALUE);
    for (LineDifference line : state.differences()) {
      for (PendingStore store : line.missing()) {
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
      pending.event(
          new TraceEvent.Sync(
              ordinal++,
              sync.thread(),
              sync.kind(),
              1,
              1,
              Location.of(FILE, sync.offset()),
              sync.length()));
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

  private void store(Step.Store store) throws IOException {
    int length = store.bytes().capacity();
    ByteBuffer bytes = ByteBuffer.allocate(OFFSET_IN_BUFFER + length);
    bytes.put(OFFSET_IN_BUFFER, store.bytes(), 0, length);
    int records = Math.min(length, store.records());
    long first = ordinal;
    for (int record = 0; record < records; record++) {
      int from = length * record / records;
      int to = length * (record + 1) / records;
      int more = record + 1 < records ? StoreFlags.MORE : 0;
      int offset = store.offset() + from;
      pending.store(
          ordinal++,
          store.thread(),
          more | (store.nonTemporal() ? StoreFlags.NON_TEMPORAL : 0),
          7,
          8,
          Location.of(FILE, offset),
          to - from,
          bytes,
          OFFSET_IN_BUFFER + from);
      write(first, offset, bytes.slice(OFFSET_IN_BUFFER + from, to - from));
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
