// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.process.CommandResult;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent.MetadataKind;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.LeavesFile;
import io.powercut.trace.file.TraceFormat;
import io.powercut.trace.file.TraceWriter;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A target that is a function, under a recorder that is this class: it writes the trace that the
 * real one would, changes the files, and stops at leaves. No process is started. A call is named by
 * a source line; its file is {@code pool}, of 64 cache lines.
 */
public final class TargetByHand implements Target {
  /** The only PM file. */
  public static final String FILE = "pool";

  /** Bytes of the file. */
  public static final int SIZE = 64 * 64;

  /** Persists the flag in line 1 before the value in line 0, which it promises. */
  public static final Program FLAG_FIRST =
      calls -> calls.store(20, 1, 1).flush(21, 1).fence(22).store(10, 0, 1).flush(11, 0).fence(12);

  /** How often the recorder says that failure points were reached, whatever the program does. */
  public static final long REACHED = 1_000;

  private static final int NUMBER = 1;
  private static final int LINE = 64;
  private static final String MODULE = "app";

  /** As in the file of leaves of the recorder, claiming a leaf is one step. */
  private static final Object CLAIM = new Object();

  private final Program program;
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger aborts = new AtomicInteger();
  private volatile Optional<String> problem = Optional.empty();

  /** What the target does. */
  @FunctionalInterface
  public interface Program {
    void run(Calls calls) throws IOException;
  }

  /** The leaf is reached at which the recorder stops the target. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  public TargetByHand(Program program) {
    this.program = program;
  }

  /** From now on it fails at its end. */
  public void fail(String how) {
    problem = Optional.of(how);
  }

  /** How often it ran. */
  public int runs() {
    return runs.get();
  }

  /** How often it was to be killed. */
  public int aborts() {
    return aborts.get();
  }

  /** Makes the file in which all words are zero. */
  public static void setUp(Path pm) throws IOException {
    Files.write(pm.resolve(FILE), new byte[SIZE]);
  }

  /** The call stack of a source line. */
  public static CallStack stack(int source) {
    return CallStack.of(
        new Frame(
            MODULE,
            source,
            List.of(
                new SourcePosition("work", "/src/app.c", source),
                new SourcePosition("main", "main.c", 99))));
  }

  @Override
  public TargetOutcome run(Execution execution, RecorderOptions options) {
    runs.incrementAndGet();
    try {
      record(execution.places().pm(), execution.trace(), options.leaves());
      return new TargetOutcome(exited(), problem, ControlFile.read(execution.trace()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a trace of it. */
  public void record(Path pm, Path trace, Optional<Path> leaves) throws IOException {
    TraceWriter writer = new TraceWriter(trace);
    try (FileChannel pool =
        FileChannel.open(pm.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.READ)) {
      Calls calls = new Calls(writer, pool, leaves);
      program.run(calls);
      writer.end();
    } catch (StoppedException e) {
      writer.writeControl();
    }
  }

  private static CommandResult exited() {
    return new CommandResult(
        new Ending.Exited(0),
        "",
        Optional.empty(),
        0,
        Duration.ZERO,
        Duration.ZERO,
        DataSize.ofMebibytes(1),
        0);
  }

  @Override
  public void abort() {
    aborts.incrementAndGet();
  }

  /** What a program can do. */
  public static final class Calls {
    private final TraceWriter trace;
    private final FileChannel pool;
    private final Optional<LeavesFile> leaves;
    private final Set<Integer> defined = new HashSet<>();
    private boolean usesPm;
    private boolean pending;

    private Calls(TraceWriter trace, FileChannel pool, Optional<Path> leaves) {
      this.trace = trace;
      this.pool = pool;
      this.leaves = leaves.map(LeavesFile::existing);
      trace.module(1, "/usr/bin/" + MODULE);
    }

    private void use() {
      if (!usesPm) {
        usesPm = true;
        trace.file(NUMBER, 0, SIZE, FILE);
        trace
            .control()
            .putInt(TraceFormat.CONTROL_MAPPED_FILES, 1)
            .putLong(TraceFormat.CONTROL_FAILURE_POINTS, REACHED);
        trace.writeControl();
      }
    }

    private void define(int source) {
      if (defined.add(source)) {
        trace.site(source, 1, source, "work", "/src/app.c", source);
        trace.stack(source, stack(source).id(), false, source);
      }
    }

    /** Stores 8 bytes to a cache line. */
    public Calls store(int source, int line, long value) throws IOException {
      return storeOfThread(1, source, line, value);
    }

    /** The same by a certain thread; the first one does everything else. */
    public Calls storeOfThread(int thread, int source, int line, long value) throws IOException {
      use();
      define(source);
      byte[] bytes =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
      pool.write(ByteBuffer.wrap(bytes), (long) line * LINE);
      trace.storeOfThread(thread, source, source, Location.of(NUMBER, (long) line * LINE), bytes);
      pending = true;
      return this;
    }

    /** Writes 8 bytes to a cache line behind the end of the file, which ends with them then. */
    public Calls append(int source, int line, long value) throws IOException {
      use();
      define(source);
      long location = Location.of(NUMBER, (long) line * LINE);
      byte[] bytes =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
      pool.write(ByteBuffer.wrap(bytes), (long) line * LINE);
      trace.record(
          TraceFormat.FILE_RESIZE,
          0,
          1,
          TraceWriter.body().putInt(NUMBER).putInt(0).putLong((long) line * LINE + Long.BYTES));
      trace.storeWithFlags(StoreFlags.FILE_WRITE, source, source, location, bytes);
      pending = true;
      return this;
    }

    /** Stores 8 bytes to the file, of which the recorder sees nothing. */
    public Calls storeUnseen(int line, long value) throws IOException {
      pool.write(ByteBuffer.allocate(Long.BYTES).putLong(0, value), (long) line * LINE);
      return this;
    }

    /** Flushes a cache line. */
    public Calls flush(int source, int line) throws IOException {
      use();
      define(source);
      candidate(source);
      trace.flush(FlushKind.CLWB, source, Location.of(NUMBER, (long) line * LINE));
      return this;
    }

    /** Fences. */
    public Calls fence(int source) throws IOException {
      define(source);
      candidate(source);
      trace.fence(FenceKind.SFENCE, source);
      return this;
    }

    /** Synchronises a cache line by a call that succeeds. */
    public Calls sync(int source, int line) throws IOException {
      return sync(source, line, 0);
    }

    /** The same of a call that fails with an error. */
    public Calls sync(int source, int line, int error) throws IOException {
      use();
      define(source);
      candidate(source);
      trace.sync(SyncKind.MSYNC, source, Location.of(NUMBER, (long) line * LINE), LINE, source);
      trace.syncEnd(1, SyncKind.MSYNC, error, source);
      return this;
    }

    /** Calls what changes a name or a size. The record says so, and no file changes. */
    public Calls change(int source, MetadataKind kind, String path, String other)
        throws IOException {
      define(source);
      candidate(source);
      trace.metadata(kind, source, path, other);
      pending = true;
      return this;
    }

    /** Gives the file another name. */
    public Calls link(String path) throws IOException {
      use();
      trace.path(TraceFormat.FILE_LINK, 0, NUMBER, path);
      return this;
    }

    /** Writes to standard output. */
    public Calls say(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      trace.record(
          TraceFormat.OUTPUT,
          1,
          1,
          TraceWriter.body().putInt(1).putInt(1).putLong(bytes.length).putLong(0).put(bytes));
      return this;
    }

    /** Makes a file outside PM durable. */
    public Calls persistOutside(String path, long times) {
      byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
      trace.record(
          TraceFormat.OUTSIDE,
          0,
          1,
          TraceWriter.body().putInt(bytes.length).putInt(0).putLong(times).put(bytes));
      return this;
    }

    /** Enters the function at which the analysis begins, or ends. */
    public Calls mark(boolean begin) {
      trace.mark(begin);
      return this;
    }

    /** As the recorder: claims the first unvisited leaf, and stops before its instruction. */
    private void candidate(int source) throws IOException {
      if (pending && leaves.isPresent()) {
        synchronized (CLAIM) {
          if (leaves.get().visited().contains(stack(source).id())) {
            pending = false;
            return;
          }
          leaves.get().mark(stack(source).id(), true);
        }
        trace.control().putInt(TraceFormat.CONTROL_STOPPED, 1);
        trace.control().putLong(TraceFormat.CONTROL_STOP_ID, stack(source).id().value());
        throw new StoppedException();
      }
      pending = false;
    }
  }
}
