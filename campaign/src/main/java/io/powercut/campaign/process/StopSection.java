// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.process.Signal;
import java.time.Duration;
import java.util.Optional;

/** How a server is ended: by a signal or by a command, and by force if that takes too long. */
public record StopSection(
    @Key(
            value = "The command that stops the server, instead of a signal.",
            example = "[./client, \"{port}\", shutdown]")
        Optional<CommandTemplate> command,
    @Key(
            value = "The signal that stops the server. Default: TERM, unless there is a command.",
            example = "INT")
        Optional<Signal> signal,
    @Key(
            value = "How long the server may take to end before it is killed.",
            defaultValue = "10s",
            min = "0s",
            max = "1d")
        Duration grace) {

  /** What is done to a server whose campaign says nothing of it. */
  static final StopAction DEFAULT_ACTION =
      new StopAction.BySignal(Signal.TERM, Duration.ofSeconds(10));

  public StopSection {
    requireNonNull(command, "command is null");
    requireNonNull(signal, "signal is null");
    requireNonNull(grace, "grace is null");
    if (command.isPresent() && signal.isPresent()) {
      throw new IllegalArgumentException(
          "has both a command and a signal; write one (null removes an inherited one)");
    }
  }

  /** What is done. */
  public StopAction action() {
    return command
        .<StopAction>map(stop -> new StopAction.ByCommand(stop, grace))
        .orElseGet(() -> new StopAction.BySignal(signal.orElse(Signal.TERM), grace));
  }
}
