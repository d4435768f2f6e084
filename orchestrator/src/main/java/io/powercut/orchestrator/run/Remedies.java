package io.powercut.orchestrator.run;

import io.powercut.process.Ending;

/** What to do about a command of the campaign that did not end well. */
final class Remedies {
  private Remedies() {}

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
      return "Mend %s.command; relative paths begin at workingDirectory.".formatted(section);
    }
    boolean ended = ending instanceof Ending.Exited || ending instanceof Ending.Signalled;
    return ended && section.equals("target")
        ? "If that is how it ends when all is well, say so in target.success."
        : "";
  }
}
