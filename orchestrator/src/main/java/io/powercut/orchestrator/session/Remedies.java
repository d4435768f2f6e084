// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.process.Ending;
import io.powercut.recorder.Recorder;
import java.util.Optional;

/** What to do about a command of the campaign that did not end well. */
final class Remedies {
  /** What Valgrind prints when there is no room for one more. */
  private static final String TOO_MANY_THREADS = "Max number of threads is too low";

  private Remedies() {}

  /** The same of what ends a target in Powercut's recorder and not without it. */
  static Optional<String> ofRecorder(String output) {
    return output.contains(TOO_MANY_THREADS)
        ? Optional.of(
            ("This is a limit of Powercut, not a mistake of the target: it follows at most %,d threads at"
                    + " a time. Use fewer threads.")
                .formatted(Recorder.MOST_THREADS))
        : Optional.empty();
  }

  /**
   * One sentence, or nothing when there is nothing useful to say.
   *
   * @param section of the campaign that the command is in: {@code build}, {@code setup} or {@code
   *     target}
   */
  static String of(Ending ending, String section) {
    if (ending instanceof Ending.TimedOut) {
      return "If it needs longer, raise %s.timeout.".formatted(section);
    }
    if (ending instanceof Ending.MemoryLimitExceeded) {
      return "If it needs more, raise limits.memory.";
    }
    if (ending instanceof Ending.SpaceExhausted) {
      return "If it needs more, raise pm.limit, or lower limits.diskReserve.";
    }
    if (ending instanceof Ending.NotStarted) {
      return "Fix %s.command; relative paths begin at workingDirectory.".formatted(section);
    }
    boolean ended = ending instanceof Ending.Exited || ending instanceof Ending.Signalled;
    return ended && section.equals("target")
        ? "If a successful execution ends like this, set target.success accordingly."
        : "";
  }
}
