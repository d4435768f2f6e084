// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.process.Ending;
import io.powercut.recorder.Recorder;
import java.util.List;
import java.util.Optional;

/** What to do about a command of the campaign that did not end well. */
final class Remedies {
  /** What Valgrind prints when there is no room for one more. */
  private static final String TOO_MANY_THREADS = "Max number of threads is too low";

  /** What AddressSanitizer prints at the end when memory that it needs is in use. */
  private static final List<String> SANITIZER =
      List.of("ASan runtime does not come first", "==End of process memory map");

  /** What Valgrind prints when it gives up on debug information. */
  private static final String BAD_DEBUG_INFORMATION = "Possibly corrupted debuginfo file";

  /** What Valgrind prints when it cannot make a file in the folder for temporary files. */
  private static final String NO_FOLDER = "Can't create client cmdline file";

  private Remedies() {}

  /** The same of what ends a target in Powercut's recorder and not without it. */
  static Optional<String> ofRecorder(String output) {
    if (output.contains(TOO_MANY_THREADS)) {
      return Optional.of(
          ("This is a limit of Powercut, not a mistake of the target: it follows at most %,d threads at"
                  + " a time. Use fewer threads.")
              .formatted(Recorder.MOST_THREADS));
    }
    if (SANITIZER.stream().anyMatch(output::contains)) {
      return Optional.of(
          "This is a limit of Powercut, not a mistake of the target: AddressSanitizer and Valgrind use"
              + " the same memory. Compile without -fsanitize=address.");
    }
    if (output.contains(NO_FOLDER)) {
      return Optional.of(
          "Valgrind, which carries the recorder, needs a folder for temporary files: set the environment"
              + " variable TMPDIR to one that exists, can be written and has room.");
    }
    return output.contains(BAD_DEBUG_INFORMATION)
        ? Optional.of(
            "This is a limit of Powercut, not a mistake of the target: Valgrind cannot read its debug"
                + " information. Compile with -gdwarf-4.")
        : Optional.empty();
  }

  /**
   * One sentence, or nothing when there is nothing useful to say.
   *
   * @param section of the campaign that the command is in: {@code build}, {@code setup} or {@code
   *     target}
   */
  static String of(Ending ending, String section) {
    return ending.match(
        exited -> ofOwnEnd(section),
        signalled -> ofOwnEnd(section),
        timedOut -> "If it needs longer, raise %s.timeout.".formatted(section),
        aborted ->
            switch (aborted.cause()) {
              case MEMORY -> "If it needs more, raise limits.memory.";
              case SPACE ->
                  "If it needs more, raise pm.limit; if the file system is too full, free some, set pm.directory to another one, or lower limits.diskReserve.";
              case NOT_STARTED ->
                  "Fix %s.command, a list of the program and its arguments, or workingDirectory, where its relative paths begin."
                      .formatted(section);
              case STOPPED, STRAYED, SUPERVISOR_LOST -> "";
            });
  }

  /** The same of a server that did not do what one does. */
  static String ofServer(Ending ending, String section) {
    return ending.match(
        exited ->
            exited.code() == 0
                ? "A server has to run in the foreground until its client or %s.stop ends it."
                    .formatted(section)
                : "",
        signalled -> "",
        timedOut -> of(timedOut, section),
        aborted -> of(aborted, section));
  }

  private static String ofOwnEnd(String section) {
    return section.equals("target")
        ? "If a successful execution ends like this, set target.success accordingly."
        : "";
  }
}
