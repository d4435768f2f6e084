// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.time.Duration;

/**
 * A command that was started. It may be used by several threads: one may wait for the end while
 * another stops it. Once it has ended, every method that gives a result gives the same one.
 */
public interface RunningCommand {
  /**
   * The number of its first process, which leads its own session and process group; 0 if it did not
   * start.
   */
  long pid();

  /** Whether it has not ended yet. */
  boolean isRunning();

  /** The last 16 KiB of what it has printed so far. */
  String outputTail();

  /** Waits for its end. */
  CommandResult await();

  /**
   * Sends a signal to its process group and gives all of it time to end, then kills what is left.
   * If its first process ended in time, the result says how, for example {@code Signalled(SIGTERM)}
   * or {@code Exited(0)}; else it says {@code Stopped}.
   */
  CommandResult stop(Signal signal, Duration grace);

  /** Asks it by SIGTERM to end. */
  default CommandResult stop(Duration grace) {
    return stop(Signal.TERM, grace);
  }

  /** Kills it and all that it started at once. */
  CommandResult kill();
}
