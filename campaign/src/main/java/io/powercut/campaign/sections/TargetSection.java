// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.process.ClientSection;
import io.powercut.campaign.process.Expectation;
import io.powercut.campaign.process.PossibleServer;
import io.powercut.campaign.process.ReadySection;
import io.powercut.campaign.process.ServerKeys;
import io.powercut.campaign.process.StopSection;
import io.powercut.campaign.template.CommandTemplate;
import java.time.Duration;
import java.util.Optional;

/**
 * The program whose persistence is tested: one that ends by itself or, with {@code ready}, a
 * server.
 */
public record TargetSection(
    @Key(value = "The program and its arguments.", example = "[./app, run, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(
            value =
                "Time limit of one execution with its client. Under instrumentation it is some ten times"
                    + " slower.",
            defaultValue = "10m",
            min = "100ms",
            max = "7d")
        Duration timeout,
    @Key(value = "How a successful execution ends.", example = "{exit: [0]}") Expectation success,
    @Key(
            value = "Makes the command a server, and defines when it is ready.",
            example = "{tcp: \"127.0.0.1:{port}\"}")
        Optional<ReadySection> ready,
    @Key(
            value = "The client that runs once the server is ready. Needs `ready`.",
            example = "{command: [./client, \"{port}\"]}")
        Optional<ClientSection> client,
    @Key(
            value = "How the server is stopped after the client has ended. Needs `ready`.",
            example = "{signal: TERM}")
        Optional<StopSection> stop)
    implements PossibleServer {

  public TargetSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
    requireNonNull(success, "success is null");
    ServerKeys.check(ready, client, stop);
  }
}
