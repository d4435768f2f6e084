// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import java.time.Duration;
import java.util.function.Function;

/** How a server is stopped. */
public sealed interface StopPlan {
  /** SIGTERM and ten seconds. */
  StopPlan DEFAULT = new BySignal(Signal.TERM, Duration.ofSeconds(10));

  /** How long the server may take to end then. */
  Duration grace();

  /** What the function for its kind says. */
  <R> R match(Function<BySignal, R> bySignal, Function<ByCommand, R> byCommand);

  /** Whether an ending is what was asked for, whatever else the server may end by. */
  boolean asksFor(Ending ending);

  /**
   * By a signal to its process group.
   *
   * @param signal which
   * @param grace how long it may take to end
   */
  record BySignal(Signal signal, Duration grace) implements StopPlan {
    private static final int SHELL_SIGNAL_BASE = 128;

    /** By the signal or, as shells and JVMs end, with 128 plus its number. */
    @Override
    public boolean asksFor(Ending ending) {
      return ending.equals(new Ending.Signalled(signal))
          || ending.equals(new Ending.Exited(SHELL_SIGNAL_BASE + signal.number()));
    }

    @Override
    public <R> R match(Function<BySignal, R> bySignal, Function<ByCommand, R> byCommand) {
      return bySignal.apply(this);
    }
  }

  /**
   * By a command that talks to it.
   *
   * @param command must exit with 0
   * @param grace how long the server may take to end once the command has ended
   */
  record ByCommand(CommandSpec command, Duration grace) implements StopPlan {
    @Override
    public boolean asksFor(Ending ending) {
      return false;
    }

    @Override
    public <R> R match(Function<BySignal, R> bySignal, Function<ByCommand, R> byCommand) {
      return byCommand.apply(this);
    }
  }
}
