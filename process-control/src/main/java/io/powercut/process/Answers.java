// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Turns the supervisor's last answer to a command into a result. The kinds of ending are those of
 * wire.h.
 */
final class Answers {
  private static final int EXITED = 0;
  private static final int SIGNALLED = 1;
  private static final int TIME = 2;

  /** The value of an end in time: of processor time. */
  private static final int OF_CPU = 1;

  private static final int MEMORY = 3;
  private static final int SPACE = 4;
  private static final int NOT_STARTED = 5;
  private static final int STOPPED = 6;
  private static final int STRAYED = 7;

  private Answers() {}

  static CommandResult result(CommandSpec command, Frame ended) {
    ByteBuffer payload = ended.payload();
    int kind = payload.get();
    int value = payload.getInt();
    long seen = payload.getLong();
    Duration wallTime = Duration.ofNanos(payload.getLong());
    Duration cpuTime = Duration.ofNanos(payload.getLong());
    DataSize peakMemory = new DataSize(payload.getLong());
    long outputBytes = payload.getLong();
    int leftovers = payload.getInt();
    String kernelSays = ended.string();
    return new CommandResult(
        ending(command, kind, value, seen, kernelSays),
        ended.rest(),
        command.outputFile(),
        outputBytes,
        wallTime,
        cpuTime,
        peakMemory,
        leftovers);
  }

  private static Ending ending(
      CommandSpec command, int kind, int value, long seen, String kernelSays) {
    return switch (kind) {
      case EXITED -> new Ending.Exited(value);
      case SIGNALLED -> new Ending.Signalled(new Signal(value));
      case TIME ->
          value == OF_CPU
              ? new Ending.TimedOut(command.cpuLimit().orElseThrow(), true)
              : new Ending.TimedOut(command.timeLimit());
      case MEMORY ->
          new Ending.MemoryLimitExceeded(
              command.memoryLimit().orElse(DataSize.ZERO), new DataSize(seen));
      case SPACE -> space(command, value, new DataSize(seen));
      case NOT_STARTED ->
          new Ending.NotStarted(
              StartFailure.describe(command, Math.toIntExact(seen), value, kernelSays));
      case STOPPED -> new Ending.Stopped();
      case STRAYED -> new Ending.Strayed(kernelSays);
      default -> new Ending.SupervisorLost("it reported an unknown kind of ending " + kind);
    };
  }

  private static Ending space(CommandSpec command, int value, DataSize seen) {
    SpaceGuard guard = command.spaceGuards().get(value / 2);
    boolean limitExceeded = value % 2 == 1;
    return new Ending.SpaceExhausted(
        guard.directory(),
        limitExceeded
            ? "its files occupy " + seen + ", the limit is " + guard.limit().orElse(DataSize.ZERO)
            : "its file system has "
                + seen
                + " left, "
                + guard.reserve().orElse(DataSize.ZERO)
                + " must stay free");
  }
}
