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
                "How long one execution may take, under instrumentation (some ten times slower than without), with"
                    + " its client.",
            defaultValue = "10m",
            min = "100ms",
            max = "7d")
        Duration timeout,
    @Key(value = "How it ends when all is well.", example = "{exit: [0]}") Expectation success,
    @Key(
            value = "Makes it a server, and says when it can be used.",
            example = "{tcp: \"127.0.0.1:{port}\"}")
        Optional<ReadySection> ready,
    @Key(
            value = "What is run against the server once it is ready. Needs `ready`.",
            example = "{command: [./client, \"{port}\"]}")
        Optional<ClientSection> client,
    @Key(
            value = "How the server is ended when the client has ended. Needs `ready`.",
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
