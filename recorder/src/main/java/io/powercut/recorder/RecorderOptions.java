// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import io.powercut.process.DataSize;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Granularity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options of the recorder, as a {@link Builder} collected them. They do not change. */
public final class RecorderOptions {
  private static final long SMALLEST_CHUNK = 256L << 10;
  private static final long LARGEST_CHUNK = 1L << 30;
  private static final long CHUNK_STEP = 4096;

  private final Builder is;

  private RecorderOptions(Builder collected) {
    this.is = collected;
    long bytes = is.chunkSize.bytes();
    if (bytes < SMALLEST_CHUNK || bytes > LARGEST_CHUNK || bytes % CHUNK_STEP != 0) {
      throw new IllegalArgumentException(
          "chunkSize is " + is.chunkSize + ", want 256KiB to 1GiB, a multiple of 4KiB");
    }
    if (is.window < 0 || is.occurrence < 1) {
      throw new IllegalArgumentException(
          "window is "
              + is.window
              + ", want at least 0; occurrence is "
              + is.occurrence
              + ", want 1");
    }
  }

  /** Options for recording all of a run, without a window. */
  public static Builder recording(Path pmDirectory, Path traceDirectory) {
    return new Builder(pmDirectory, traceDirectory);
  }

  /** The same, with threads in another order. */
  public RecorderOptions scheduled(ThreadSchedule order) {
    return is.copy().schedule(order).build();
  }

  /** The regular files below it are persistent memory. */
  public Path pmDirectory() {
    return is.pmDirectory;
  }

  /** Where the trace goes: exists and is empty. */
  public Path traceDirectory() {
    return is.traceDirectory;
  }

  /** The execution stops before the first unvisited leaf of it, if there is one. */
  public Optional<Path> leaves() {
    return is.leaves;
  }

  /** How it stops there. */
  public OnStop onStop() {
    return is.onStop;
  }

  /**
   * Whether process and thread numbers are the same in every execution, where the system allows it;
   * not with {@link OnStop#GDB_SERVER}, since gdb could not find the process.
   */
  public boolean fixedProcessIds() {
    return is.fixedProcessIds;
  }

  /** Whether what the program writes to others is written. */
  public boolean outputs() {
    return is.outputs;
  }

  /** In which order threads run. */
  public ThreadSchedule schedule() {
    return is.schedule;
  }

  /** The recorder's arguments. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--pm-dir=" + is.pmDirectory);
    arguments.add("--trace=" + is.traceDirectory);
    arguments.add("--chunk-size=" + (is.chunkSize.bytes() >> 10) + "K");
    arguments.add("--window=" + is.window);
    arguments.add("--granularity=" + is.granularity.label());
    arguments.add("--stacks=" + (is.allStacks || is.races ? "all" : "failure-points"));
    arguments.add("--record=" + (is.recordEvents ? "yes" : "no"));
    arguments.add("--outputs=" + (is.outputs || is.races ? "yes" : "no"));
    arguments.add("--acknowledged=" + (is.outputs ? "yes" : "no"));
    arguments.add("--requests=" + (is.requests ? "yes" : is.ranges ? "ranges" : "no"));
    arguments.add("--reads=" + (is.reads ? "yes" : "no"));
    arguments.add("--races=" + (is.races ? "yes" : "no"));
    if (is.races) {
      is.locks.forEach(lock -> arguments.add("--synchronise=" + lock));
      is.allocators.forEach(allocator -> arguments.add("--allocator=" + allocator));
      arguments.add("--atomics=" + (is.atomics ? "yes" : "no"));
    }
    arguments.add("--executed=" + (is.executed ? "yes" : "no"));
    arguments.add("--deterministic=" + deterministic());
    arguments.addAll(is.schedule.arguments());
    is.excluded.names().forEach(function -> arguments.add("--exclude=" + function));
    arguments.add("--loader=" + (is.loader ? "yes" : "no"));
    is.begin.forEach(function -> arguments.add("--begin=" + function));
    is.end.forEach(function -> arguments.add("--end=" + function));
    is.leaves.ifPresent(
        file -> {
          arguments.add("--leaves=" + file);
          arguments.add("--occurrence=" + is.occurrence);
          arguments.add("--on-stop=" + is.onStop.label());
        });
    return arguments;
  }

  private String deterministic() {
    if (is.fixedTime) {
      return is.fixedRandom ? "yes" : "time";
    }
    return is.fixedRandom ? "random" : "no";
  }

  /** Collects options. */
  public static final class Builder implements Cloneable {
    private final Path pmDirectory;
    private final Path traceDirectory;
    private DataSize chunkSize = DataSize.ofMebibytes(16);
    private int window;
    private Granularity granularity = Granularity.PERSISTENCY;
    private ExcludedFunctions excluded = ExcludedFunctions.NONE;
    private boolean loader;
    private List<String> begin = List.of();
    private List<String> end = List.of();
    private Optional<Path> leaves = Optional.empty();
    private OnStop onStop = OnStop.KILL;
    private int occurrence = 1;
    private boolean fixedTime;
    private boolean fixedRandom;
    private boolean fixedProcessIds;
    private boolean allStacks;
    private boolean recordEvents = true;
    private boolean outputs;
    private boolean requests;
    private boolean ranges;
    private boolean reads;
    private boolean races;
    private List<String> locks = List.of();
    private List<String> allocators = List.of();
    private boolean atomics;
    private boolean executed;
    private ThreadSchedule schedule = ThreadSchedule.USUAL;

    private Builder(Path pmDirectory, Path traceDirectory) {
      this.pmDirectory = pmDirectory.toAbsolutePath();
      this.traceDirectory = traceDirectory.toAbsolutePath();
    }

    private Builder copy() {
      try {
        return (Builder) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /** Sets the size of the trace's parts; 16 MiB otherwise. */
    public Builder chunkSize(DataSize size) {
      chunkSize = size;
      return this;
    }

    /** Makes the recorder wait while so many chunks exist. */
    public Builder window(int chunks) {
      window = chunks;
      return this;
    }

    /** Sets which instructions are candidates; {@link Granularity#PERSISTENCY} otherwise. */
    public Builder granularity(Granularity newGranularity) {
      granularity = newGranularity;
      return this;
    }

    /** Leaves functions out. */
    public Builder excluded(ExcludedFunctions functions) {
      excluded = functions;
      return this;
    }

    /** Takes failure points in the dynamic loader, too. */
    public Builder loader(boolean takes) {
      loader = takes;
      return this;
    }

    /** Lets the analysis begin at the entry of one of these functions. */
    public Builder begin(List<String> functions) {
      begin = List.copyOf(functions);
      return this;
    }

    /** Lets the analysis end at the entry of one of these functions. */
    public Builder end(List<String> functions) {
      end = List.copyOf(functions);
      return this;
    }

    /** Lets the execution stop at an unvisited leaf of the file. */
    public Builder leaves(Path file) {
      leaves = Optional.of(file.toAbsolutePath());
      return this;
    }

    /** Sets how it stops; {@link OnStop#KILL} otherwise. */
    public Builder onStop(OnStop newOnStop) {
      onStop = newOnStop;
      return this;
    }

    /** Sets at which occurrence of a leaf it stops; the first otherwise. */
    public Builder occurrence(int occurrence) {
      this.occurrence = occurrence;
      return this;
    }

    /** Makes the clocks tell the same in every execution. */
    public Builder fixedTime(boolean isFixed) {
      fixedTime = isFixed;
      return this;
    }

    /** Makes random numbers the same in every execution. */
    public Builder fixedRandom(boolean isFixed) {
      fixedRandom = isFixed;
      return this;
    }

    /**
     * Makes process and thread numbers the same in every execution. The target then runs in a
     * separate PID namespace, so the numbers that it knows mean nothing to processes outside.
     */
    public Builder fixedProcessIds(boolean isFixed) {
      fixedProcessIds = isFixed;
      return this;
    }

    /** Lets every event carry its call stack. */
    public Builder allStacks(boolean all) {
      allStacks = all;
      return this;
    }

    /** Writes events, or only that and where the execution stopped. */
    public Builder recordEvents(boolean record) {
      recordEvents = record;
      return this;
    }

    /**
     * Writes what the program writes to others, too. It then counts as a store does for failure
     * points, if it comes before a thread's fence.
     */
    public Builder outputs(boolean record) {
      outputs = record;
      return this;
    }

    /** Does what the program asks for by {@code powercut.h}. */
    public Builder requests(boolean honour) {
      requests = honour;
      return this;
    }

    /** Of what the program asks for by {@code powercut.h}, only what it says of bytes. */
    public Builder ranges(boolean honour) {
      ranges = honour;
      return this;
    }

    /** Writes which lines of PM the program reads, too. */
    public Builder reads(boolean record) {
      reads = record;
      return this;
    }

    /** Writes loads and how threads synchronise, too, and every call stack. */
    public Builder races(boolean record) {
      races = record;
      return this;
    }

    /** Follows locks of the target's own making, with {@link #races}. */
    public Builder locks(List<String> functions) {
      locks = List.copyOf(functions);
      return this;
    }

    /** Follows functions that allocate memory, with {@link #races}. */
    public Builder allocators(List<String> functions) {
      allocators = List.copyOf(functions);
      return this;
    }

    /** Takes words that are swapped for locks, with {@link #races}. */
    public Builder atomics(boolean are) {
      atomics = are;
      return this;
    }

    /** Writes which code is executed, too. */
    public Builder executed(boolean record) {
      executed = record;
      return this;
    }

    /** Sets the order in which threads run; {@link ThreadSchedule#USUAL} otherwise. */
    public Builder schedule(ThreadSchedule order) {
      schedule = order;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException naming the value and its bounds
     */
    public RecorderOptions build() {
      return new RecorderOptions(copy());
    }
  }
}
