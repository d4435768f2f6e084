// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The outcome of a command.
 *
 * @param ending how it ended
 * @param outputTail the last 16 KiB of what it and all that it started printed, standard output and
 *     error in one stream; bytes that are not UTF-8 are replaced
 * @param outputFile where the beginning of the output is, if a file was asked for
 * @param outputBytes how much it printed in all, also what was kept nowhere
 * @param wallTime from its start until nothing of it was left
 * @param cpuTime user and system time of it and all that it started
 * @param peakMemory the largest resident set of any one of its processes, mapped files (and so PM)
 *     included
 * @param leftovers how many processes were still alive when it had ended, and were killed then
 */
public record CommandResult(
    Ending ending,
    String outputTail,
    Optional<Path> outputFile,
    long outputBytes,
    Duration wallTime,
    Duration cpuTime,
    DataSize peakMemory,
    int leftovers) {

  /** How much of the end of the output is kept in {@link #outputTail}. */
  public static final int TAIL_BYTES = 16 << 10;

  /** Whether it ended by itself with code 0. */
  public boolean isSuccess() {
    return ending.equals(new Ending.Exited(0));
  }

  static CommandResult lost(CommandSpec command, String reason) {
    return new CommandResult(
        new Ending.SupervisorLost(reason),
        "",
        command.outputFile(),
        0,
        Duration.ZERO,
        Duration.ZERO,
        DataSize.ZERO,
        0);
  }
}
