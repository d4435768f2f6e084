// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.TraceException;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * What the recorder says about an execution beside its trace, at one moment.
 *
 * @param chunkSize bytes of each chunk of the trace
 * @param chunkCount chunks made so far, those included that a reader deleted
 * @param liveProcesses processes that run under the recorder
 * @param ended whether all processes are over; stays false when they were killed
 * @param stopped the leaf before which the execution was stopped
 * @param error why the recorder gave up, or what in the target it cannot run
 * @param counters what happened
 * @param declaredFunctions what is known of the functions that the recorder was told to acquire and
 *     release locks, or to allocate memory
 */
public record ControlFile(
    int chunkSize,
    int chunkCount,
    int liveProcesses,
    boolean ended,
    Optional<Stop> stopped,
    Optional<RecorderError> error,
    Counters counters,
    DeclaredFunctions declaredFunctions) {

  /**
   * The execution was stopped at a leaf.
   *
   * @param stack the number of its stack in this trace
   */
  public record Stop(FailurePointId id, int stack) {}

  /** What went wrong, in words for the user. */
  public record RecorderError(ErrorKind kind, String message) {}

  /** What an error is about. */
  public enum ErrorKind {
    /** The recorder gave up and ended the target. */
    RECORDER,
    /** The target met an instruction that Valgrind cannot decode, and got SIGILL. */
    INSTRUCTION,
    /** Threads could not run in the recorded order, and the recorder ended the target. */
    SCHEDULE
  }

  /**
   * Events so far.
   *
   * @param stores PM stores; one that was split over several records counts once
   * @param flushes flushes of PM
   * @param fences fences that were recorded
   * @param syncs msync, fsync and the like
   * @param failurePoints failure points reached, every occurrence counted
   * @param mappedFiles PM files that were mapped shared; 0 means that the target used no PM
   * @param seenFiles PM files that were seen at all
   * @param marks entries of functions at which the analysis begins or ends
   * @param stackRepairs stacks whose return addresses were not where the recorder expected them
   * @param occurrences occurrences of the leaf that was asked for by occurrence
   */
  public record Counters(
      long stores,
      long flushes,
      long fences,
      long syncs,
      long failurePoints,
      int mappedFiles,
      int seenFiles,
      int marks,
      int stackRepairs,
      int occurrences) {}

  /**
   * Functions that acquire and release locks, by their place in what the recorder was told: a bit
   * for each.
   *
   * @param found a symbol of the target or of a library has the name
   * @param entered it was called
   * @param took it acquired or released a lock
   */
  public record DeclaredFunctions(long found, long entered, long took) {
    /** Whether a symbol has the name. */
    public boolean isFound(int index) {
      return (found >>> index & 1) != 0;
    }

    /** Whether it was called. */
    public boolean isEntered(int index) {
      return (entered >>> index & 1) != 0;
    }

    /** Whether it acquired or released a lock, or allocated memory, at all. */
    public boolean tookAny(int index) {
      return (took >>> index & 1) != 0;
    }
  }

  /**
   * Reads the control file of a trace directory.
   *
   * @return nothing when there is none yet, or an unfinished one: the recorder has not got so far
   * @throws TraceException when it is something else, truncated, or of another version
   * @throws IOException when it cannot be read
   */
  public static Optional<ControlFile> read(Path traceDirectory) throws IOException {
    Path file = traceDirectory.resolve(TraceFormat.CONTROL_NAME);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int needed = TraceFormat.CONTROL_ERROR + TraceFormat.CONTROL_ERROR_SIZE;
      ByteBuffer bytes = FileBytes.allocate(needed);
      boolean complete = FileBytes.readFully(channel, bytes, 0);
      if (FileBytes.hasText(bytes, 0, "\0\0\0\0\0\0\0\0")) {
        return Optional.empty();
      }
      requireOurs(file, bytes, complete);
      return Optional.of(decode(bytes));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Whether the directory holds a control file, finished or not. */
  /**
   * How often failure points were reached up to now; 0 where that is not known, or not any more.
   */
  public static long reached(Path traceDirectory) {
    try {
      return read(traceDirectory).map(now -> now.counters().failurePoints()).orElse(0L);
    } catch (IOException notThere) {
      return 0;
    }
  }

  static boolean exists(Path traceDirectory) {
    return Files.exists(traceDirectory.resolve(TraceFormat.CONTROL_NAME));
  }

  private static void requireOurs(Path file, ByteBuffer bytes, boolean complete)
      throws TraceException {
    if (!FileBytes.hasText(bytes, 0, TraceFormat.CONTROL_MAGIC)) {
      throw new TraceException(
          file,
          0,
          "this is not a trace: it does not begin with \"" + TraceFormat.CONTROL_MAGIC + "\"",
          "Name the trace of a run directory");
    }
    int version = bytes.getInt(TraceFormat.CONTROL_VERSION);
    if (version != TraceFormat.VERSION) {
      throw TraceVersions.other(file, TraceFormat.CONTROL_VERSION, version);
    }
    int chunkSize = bytes.getInt(TraceFormat.CONTROL_CHUNK_SIZE);
    if (!complete || chunkSize <= TraceFormat.CHUNK_HEADER_BYTES) {
      throw new TraceException(
          file,
          complete ? TraceFormat.CONTROL_CHUNK_SIZE : bytes.position(),
          complete ? "a chunk size of " + chunkSize : "the file is truncated",
          TraceException.RECORD_AGAIN);
    }
  }

  private static ControlFile decode(ByteBuffer bytes) {
    Optional<Stop> stopped =
        bytes.getInt(TraceFormat.CONTROL_STOPPED) == 0
            ? Optional.empty()
            : Optional.of(
                new Stop(
                    new FailurePointId(bytes.getLong(TraceFormat.CONTROL_STOP_ID)),
                    bytes.getInt(TraceFormat.CONTROL_STOP_STACK)));
    return new ControlFile(
        bytes.getInt(TraceFormat.CONTROL_CHUNK_SIZE),
        bytes.getInt(TraceFormat.CONTROL_CHUNK_COUNT),
        bytes.getInt(TraceFormat.CONTROL_LIVE),
        bytes.getInt(TraceFormat.CONTROL_ENDED) != 0,
        stopped,
        error(bytes),
        counters(bytes),
        new DeclaredFunctions(
            bytes.getLong(TraceFormat.CONTROL_DECLARED_FOUND),
            bytes.getLong(TraceFormat.CONTROL_DECLARED_ENTERED),
            bytes.getLong(TraceFormat.CONTROL_DECLARED_TOOK)));
  }

  private static Optional<RecorderError> error(ByteBuffer bytes) {
    int length = 0;
    while (length < TraceFormat.CONTROL_ERROR_SIZE
        && bytes.get(TraceFormat.CONTROL_ERROR + length) != 0) {
      length++;
    }
    if (length == 0) {
      return Optional.empty();
    }
    byte[] text = new byte[length];
    bytes.get(TraceFormat.CONTROL_ERROR, text);
    ErrorKind kind =
        switch (bytes.getInt(TraceFormat.CONTROL_ERROR_KIND)) {
          case TraceFormat.ERROR_INSTRUCTION -> ErrorKind.INSTRUCTION;
          case TraceFormat.ERROR_SCHEDULE -> ErrorKind.SCHEDULE;
          default -> ErrorKind.RECORDER;
        };
    return Optional.of(new RecorderError(kind, new String(text, StandardCharsets.UTF_8)));
  }

  private static Counters counters(ByteBuffer bytes) {
    return new Counters(
        bytes.getLong(TraceFormat.CONTROL_STORES),
        bytes.getLong(TraceFormat.CONTROL_FLUSHES),
        bytes.getLong(TraceFormat.CONTROL_FENCES),
        bytes.getLong(TraceFormat.CONTROL_SYNCS),
        bytes.getLong(TraceFormat.CONTROL_FAILURE_POINTS),
        bytes.getInt(TraceFormat.CONTROL_MAPPED_FILES),
        bytes.getInt(TraceFormat.CONTROL_SEEN_FILES),
        bytes.getInt(TraceFormat.CONTROL_MARKS),
        bytes.getInt(TraceFormat.CONTROL_STACK_REPAIRS),
        bytes.getInt(TraceFormat.CONTROL_OCCURRENCE));
  }
}
