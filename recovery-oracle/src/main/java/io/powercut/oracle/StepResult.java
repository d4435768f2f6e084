// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.process.CommandResult;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import java.time.Duration;
import java.util.Optional;

/**
 * The outcome of one step.
 *
 * @param name the step's name
 * @param ending how its command ended; for a server, the server
 * @param outputTail the last 16 KiB of what it printed; for a server, the client's output is after
 *     it
 * @param wallTime how long it took
 * @param cpuTime its user and system time; for a server, without its client's
 * @param peakMemory the largest resident set of one of its processes, mapped files included
 */
public record StepResult(
    String name,
    Ending ending,
    String outputTail,
    Duration wallTime,
    Duration cpuTime,
    DataSize peakMemory) {

  /** Stands between what a server printed and what its client did. */
  public static final String CLIENT = "\n[client]\n";

  static StepResult of(String name, CommandResult result) {
    return new StepResult(
        name,
        result.ending(),
        result.outputTail(),
        result.wallTime(),
        result.cpuTime(),
        result.peakMemory());
  }

  static StepResult of(String name, CommandResult server, Optional<CommandResult> client) {
    String tail =
        client
            .map(result -> server.outputTail() + CLIENT + result.outputTail())
            .orElse(server.outputTail());
    return new StepResult(
        name, server.ending(), tail, server.wallTime(), server.cpuTime(), server.peakMemory());
  }
}
