package io.powercut.oracle.server;

import io.powercut.process.CommandSpec;
import io.powercut.process.Signal;
import java.time.Duration;

/** How a server is asked to end. */
public sealed interface StopPlan {
  /** SIGTERM and ten seconds. */
  StopPlan DEFAULT = new BySignal(Signal.TERM, Duration.ofSeconds(10));

  /** How long the server may take to end then. */
  Duration grace();

  /**
   * By a signal to its process group.
   *
   * @param signal which
   * @param grace how long it may take to end
   */
  record BySignal(Signal signal, Duration grace) implements StopPlan {}

  /**
   * By a command that talks to it.
   *
   * @param command must exit with 0
   * @param grace how long the server may take to end once the command has ended
   */
  record ByCommand(CommandSpec command, Duration grace) implements StopPlan {}
}
