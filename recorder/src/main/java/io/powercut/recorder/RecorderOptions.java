// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static java.util.Objects.requireNonNull;

import io.powercut.process.DataSize;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Granularity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options of the recorder.
 *
 * @param pmDirectory the regular files below it are persistent memory
 * @param traceDirectory where the trace goes: exists and is empty
 * @param chunkSize of each part of the trace: 256 KiB to 1 GiB, a multiple of 4 KiB
 * @param window how many chunks may exist at once, so that the recorder waits for the reader; 0 for
 *     any number
 * @param granularity which instructions are candidates for failure points
 * @param excluded functions below which there are none
 * @param loader whether there are failure points in the dynamic loader, as when it binds a function
 * @param begin functions at whose entry the analysis begins, patterns as in {@link
 *     ExcludedFunctions}; empty: at the start
 * @param end functions at whose entry it ends
 * @param leaves a file of leaves ({@link io.powercut.trace.file.LeavesFile}); the execution stops
 *     before the first unvisited one
 * @param onStop how it stops there
 * @param occurrence at which occurrence of a leaf it stops, from 1
 * @param fixedTime whether the clocks tell the same in every execution
 * @param fixedRandom whether random numbers are the same in every execution
 * @param fixedProcessIds whether process and thread numbers are, where the system allows it; not
 *     with {@link OnStop#GDB_SERVER}, since gdb could not find the process
 * @param allStacks whether every flush, fence, synchronisation and store carries its call stack
 * @param recordEvents whether events are written, and not only that and where it stopped
 * @param outputs whether what the program writes to others is written, whatever {@code
 *     recordEvents} says, and counts as a store does for failure points if it comes before a
 *     thread's fence
 * @param reads whether is written which lines of PM it reads, whatever {@code recordEvents} says
 * @param races whether loads and the synchronisation of threads are written, with {@code allStacks}
 *     and {@code outputs}
 * @param locks functions that acquire and release locks, as the recorder's {@code --synchronise}
 *     wants them
 * @param allocators functions that allocate persistent memory, as its {@code --allocator} wants
 *     them; with {@code locks} at most 64
 * @param atomics whether words that are swapped are locks, too
 * @param executed whether is written which code was executed ({@link
 *     io.powercut.trace.replay.ExecutedCode}), whatever {@code recordEvents} says
 * @param schedule in which order threads run
 */
public record RecorderOptions(
    Path pmDirectory,
    Path traceDirectory,
    DataSize chunkSize,
    int window,
    Granularity granularity,
    ExcludedFunctions excluded,
    boolean loader,
    List<String> begin,
    List<String> end,
    Optional<Path> leaves,
    OnStop onStop,
    int occurrence,
    boolean fixedTime,
    boolean fixedRandom,
    boolean fixedProcessIds,
    boolean allStacks,
    boolean recordEvents,
    boolean outputs,
    boolean reads,
    boolean races,
    List<String> locks,
    List<String> allocators,
    boolean atomics,
    boolean executed,
    ThreadSchedule schedule) {
  private static final long SMALLEST_CHUNK = 256L << 10;
  private static final long LARGEST_CHUNK = 1L << 30;
  private static final long CHUNK_STEP = 4096;

  public RecorderOptions {
    requireNonNull(granularity, "granularity is null");
    requireNonNull(excluded, "excluded is null");
    requireNonNull(onStop, "onStop is null");
    requireNonNull(schedule, "schedule is null");
    pmDirectory = pmDirectory.toAbsolutePath();
    traceDirectory = traceDirectory.toAbsolutePath();
    begin = List.copyOf(begin);
    end = List.copyOf(end);
    locks = List.copyOf(locks);
    allocators = List.copyOf(allocators);
    leaves = leaves.map(Path::toAbsolutePath);
    long bytes = chunkSize.bytes();
    if (bytes < SMALLEST_CHUNK || bytes > LARGEST_CHUNK || bytes % CHUNK_STEP != 0) {
      throw new IllegalArgumentException(
          "chunkSize is " + chunkSize + ", want 256KiB to 1GiB, a multiple of 4KiB");
    }
    if (window < 0 || occurrence < 1) {
      throw new IllegalArgumentException(
          "window is " + window + ", want at least 0; occurrence is " + occurrence + ", want 1");
    }
  }

  /** Options for recording all of a run, without a window. */
  public static Builder recording(Path pmDirectory, Path traceDirectory) {
    return new Builder(pmDirectory, traceDirectory);
  }

  /** The same, with threads in another order. */
  public RecorderOptions scheduled(ThreadSchedule order) {
    return new RecorderOptions(
        pmDirectory,
        traceDirectory,
        chunkSize,
        window,
        granularity,
        excluded,
        loader,
        begin,
        end,
        leaves,
        onStop,
        occurrence,
        fixedTime,
        fixedRandom,
        fixedProcessIds,
        allStacks,
        recordEvents,
        outputs,
        reads,
        races,
        locks,
        allocators,
        atomics,
        executed,
        order);
  }

  /** The recorder's arguments. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--pm-dir=" + pmDirectory);
    arguments.add("--trace=" + traceDirectory);
    arguments.add("--chunk-size=" + (chunkSize.bytes() >> 10) + "K");
    arguments.add("--window=" + window);
    arguments.add("--granularity=" + granularity.label());
    arguments.add("--stacks=" + (allStacks || races ? "all" : "failure-points"));
    arguments.add("--record=" + (recordEvents ? "yes" : "no"));
    arguments.add("--outputs=" + (outputs || races ? "yes" : "no"));
    arguments.add("--acknowledged=" + (outputs ? "yes" : "no"));
    arguments.add("--reads=" + (reads ? "yes" : "no"));
    arguments.add("--races=" + (races ? "yes" : "no"));
    if (races) {
      locks.forEach(lock -> arguments.add("--synchronise=" + lock));
      allocators.forEach(allocator -> arguments.add("--allocator=" + allocator));
      arguments.add("--atomics=" + (atomics ? "yes" : "no"));
    }
    arguments.add("--executed=" + (executed ? "yes" : "no"));
    arguments.add("--deterministic=" + deterministic());
    arguments.addAll(schedule.arguments());
    excluded.names().forEach(function -> arguments.add("--exclude=" + function));
    arguments.add("--loader=" + (loader ? "yes" : "no"));
    begin.forEach(function -> arguments.add("--begin=" + function));
    end.forEach(function -> arguments.add("--end=" + function));
    leaves.ifPresent(
        file -> {
          arguments.add("--leaves=" + file);
          arguments.add("--occurrence=" + occurrence);
          arguments.add("--on-stop=" + onStop.label());
        });
    return arguments;
  }

  private String deterministic() {
    if (fixedTime) {
      return fixedRandom ? "yes" : "time";
    }
    return fixedRandom ? "random" : "no";
  }

  /** Collects options. */
  public static final class Builder {
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
    private boolean reads;
    private boolean races;
    private List<String> locks = List.of();
    private List<String> allocators = List.of();
    private boolean atomics;
    private boolean executed;
    private ThreadSchedule schedule = ThreadSchedule.USUAL;

    private Builder(Path pmDirectory, Path traceDirectory) {
      this.pmDirectory = pmDirectory;
      this.traceDirectory = traceDirectory;
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
      begin = functions;
      return this;
    }

    /** Lets the analysis end at the entry of one of these functions. */
    public Builder end(List<String> functions) {
      end = functions;
      return this;
    }

    /** Lets the execution stop at an unvisited leaf of the file. */
    public Builder leaves(Path file) {
      leaves = Optional.of(file);
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

    /** Writes what the program writes to others, too. */
    public Builder outputs(boolean record) {
      outputs = record;
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
      locks = functions;
      return this;
    }

    /** Follows functions that allocate memory, with {@link #races}. */
    public Builder allocators(List<String> functions) {
      allocators = functions;
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
      return new RecorderOptions(
          pmDirectory,
          traceDirectory,
          chunkSize,
          window,
          granularity,
          excluded,
          loader,
          begin,
          end,
          leaves,
          onStop,
          occurrence,
          fixedTime,
          fixedRandom,
          fixedProcessIds,
          allStacks,
          recordEvents,
          outputs,
          reads,
          races,
          locks,
          allocators,
          atomics,
          executed,
          schedule);
    }
  }
}
