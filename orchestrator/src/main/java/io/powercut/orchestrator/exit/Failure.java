// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exit;

import com.google.common.base.Throwables;
import io.powercut.campaign.input.FileFailure;
import io.powercut.exit.ExitCode;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.process.DataSize;
import io.powercut.tree.TreeFileException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/**
 * What ended a command early, in words.
 *
 * @param exit how Powercut ends
 * @param message for a person: what happened and the remedy
 * @param trace where a mistake of Powercut itself happened; empty for all that has another cause
 */
public record Failure(ExitCode exit, String message, String trace) {
  /** What a library says whose native half has no place. */
  private static final String NOT_UNPACKED = "Cannot unpack ";

  /** Whatever ended a run, which can be continued with {@code --resume}. */
  public static Failure of(Throwable thrown) {
    return of(thrown, true);
  }

  /**
   * Whatever was thrown.
   *
   * @param canBeResumed whether what it ended has {@code --resume}
   */
  public static Failure of(Throwable thrown, boolean canBeResumed) {
    if (thrown instanceof PowercutException ended) {
      return new Failure(ended.exit(), String.valueOf(ended.getMessage()), "");
    }
    if (thrown instanceof TreeFileException) {
      return new Failure(ExitCode.NOT_TRUSTWORTHY, String.valueOf(thrown.getMessage()), "");
    }
    return error(thrown)
        .map(Failure::of)
        .or(() -> fullDisk(thrown, canBeResumed))
        .or(() -> file(thrown))
        .orElseGet(
            () ->
                new Failure(
                    ExitCode.NOT_TRUSTWORTHY,
                    "this is a bug in Powercut; please report it: " + thrown,
                    Throwables.getStackTraceAsString(thrown)));
  }

  /** Not our mistake, and not the target's. */
  private static Optional<Failure> fullDisk(Throwable thrown, boolean canBeResumed) {
    return Throwables.getCausalChain(thrown).stream()
        .filter(IOException.class::isInstance)
        .flatMap(cause -> FileFailure.full((IOException) cause).stream())
        .findFirst()
        .map(
            what ->
                new Failure(
                    ExitCode.NOT_TRUSTWORTHY,
                    what
                        + (canBeResumed
                            ? ". Verdicts so far are kept; continue with the same command and --resume."
                            : ", and run the same command again."),
                    ""));
  }

  /** A file that the system does not let us use, a directory in its place for example. */
  private static Optional<Failure> file(Throwable thrown) {
    return Throwables.getCausalChain(thrown).stream()
        .filter(cause -> cause instanceof FileSystemException named && named.getFile() != null)
        .map(cause -> FileProblem.of((IOException) cause))
        .findFirst()
        .map(
            cause ->
                new Failure(
                    ExitCode.NOT_TRUSTWORTHY,
                    "cannot use %s; %s".formatted(cause.text(), cause.remedy()),
                    ""));
  }

  /** Threads hand on what ended them inside another exception. */
  private static Optional<Error> error(Throwable thrown) {
    return Throwables.getCausalChain(thrown).stream()
        .filter(Error.class::isInstance)
        .map(Error.class::cast)
        .findFirst();
  }

  /** Of these one sentence says enough: where it happened is where the last bit was missing. */
  private static Failure of(Error error) {
    if (error instanceof OutOfMemoryError) {
      return new Failure(
          ExitCode.NOT_TRUSTWORTHY,
          ("Powercut ran out of memory: its heap of %s is full (%s). Verdicts so far are kept. Give it"
                  + " more with the environment variable _JAVA_OPTIONS=-Xmx1g, or judge less at a time"
                  + " (limits.parallel, crashStates.perFailurePoint).")
              .formatted(new DataSize(Runtime.getRuntime().maxMemory()), error.getMessage()),
          "");
    }
    if (error instanceof StackOverflowError) {
      return new Failure(
          ExitCode.NOT_TRUSTWORTHY,
          "Powercut ran out of stack: its input is nested too deeply. Verdicts so far are kept. Please"
              + " report it, with the input files.",
          "");
    }
    if (String.valueOf(error.getMessage()).startsWith(NOT_UNPACKED)) {
      return new Failure(
          ExitCode.NOT_TRUSTWORTHY,
          ("%s. It goes into the folder for temporary files, %s, since Powercut's own cannot be written."
                  + " Choose another with the environment variable _JAVA_OPTIONS=-Djava.io.tmpdir=DIR.")
              .formatted(error.getMessage(), System.getProperty("java.io.tmpdir")),
          "");
    }
    return new Failure(
        ExitCode.NOT_TRUSTWORTHY,
        "this is a bug in Powercut; please report it: " + error,
        Throwables.getStackTraceAsString(error));
  }

  /** The message and, where there is one, the trace. */
  public String text() {
    return trace.isEmpty() ? message : message + "\n" + trace.stripTrailing();
  }
}
