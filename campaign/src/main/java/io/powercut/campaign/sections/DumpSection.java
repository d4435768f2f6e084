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
 * What prints the contents of the PM files, in a form in which equal contents are equal texts; with
 * {@code ready}, the client of a server does.
 */
public record DumpSection(
    @Key(
            value =
                "The program and its arguments. It exits with 0, and prints the same for the same contents; or, with"
                    + " `ready`, its client does.",
            example = "[./app, dump, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(value = "How long it may take.", defaultValue = "10s", min = "10ms", max = "1d")
        Duration timeout,
    @Key(
            value = "Makes it a server, and says when it can be used.",
            example = "{tcp: \"127.0.0.1:{port}\"}")
        Optional<ReadySection> ready,
    @Key(
            value =
                "What is run against the server once it is ready: what it prints is the dump. Needs `ready`.",
            example = "{command: [./client, \"{port}\", dump]}")
        Optional<ClientSection> client,
    @Key(
            value = "How the server is ended when the client has ended. Needs `ready`.",
            example = "{signal: TERM}")
        Optional<StopSection> stop)
    implements PossibleServer {
  /** What it is called among the steps of recovery. */
  public static final String STEP = "dump";

  public DumpSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
    ServerKeys.check(ready, client, stop);
    if (ready.isPresent() && client.isEmpty()) {
      throw new IllegalArgumentException(
          "has 'ready' but no 'client'; what the client prints is the dump, for example client:"
              + " {command: [./client, \"{port}\", dump]}");
    }
  }
}
