// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import io.powercut.campaign.template.CommandTemplate;
import io.powercut.process.Signal;
import java.time.Duration;
import java.util.function.Function;

/** How a server is ended. */
public sealed interface StopAction {
  /** How long the server has to end before it is killed. */
  Duration grace();

  /** What the function for its kind says. */
  <R> R match(Function<BySignal, R> bySignal, Function<ByCommand, R> byCommand);

  /** A signal asks it to. */
  record BySignal(Signal signal, Duration grace) implements StopAction {
    @Override
    public <R> R match(Function<BySignal, R> bySignal, Function<ByCommand, R> byCommand) {
      return bySignal.apply(this);
    }
  }

  /** A command makes it; the command has the same time. */
  record ByCommand(CommandTemplate command, Duration grace) implements StopAction {
    @Override
    public <R> R match(Function<BySignal, R> bySignal, Function<ByCommand, R> byCommand) {
      return byCommand.apply(this);
    }
  }
}
