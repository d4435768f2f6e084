// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.process.ClientSection;
import io.powercut.campaign.process.PossibleServer;
import io.powercut.campaign.process.ReadySection;
import io.powercut.campaign.process.ServerKeys;
import io.powercut.campaign.process.StopSection;
import io.powercut.campaign.template.CommandTemplate;
import java.time.Duration;
import java.util.Optional;

/**
 * What makes the files that the target starts from: a program that exits with 0 or, with {@code
 * ready}, a server that a client fills.
 */
public record SetupSection(
    @Key(value = "The program and its arguments.", example = "[./app, create, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(value = "Time limit.", defaultValue = "1m", min = "10ms", max = "1d") Duration timeout,
    @Key(
            value = "Makes the command a server, and defines when it is ready.",
            example = "{tcp: \"127.0.0.1:{port}\"}")
        Optional<ReadySection> ready,
    @Key(
            value = "The client that runs once the server is ready. Needs `ready`.",
            example = "{command: [./client, \"{port}\", fill]}")
        Optional<ClientSection> client,
    @Key(
            value = "How the server is stopped after the client has ended. Needs `ready`.",
            example = "{signal: TERM}")
        Optional<StopSection> stop)
    implements PossibleServer {

  public SetupSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
    ServerKeys.check(ready, client, stop);
  }
}
