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
 * What prints the contents of the PM files, in a form in which equal contents are equal texts; with
 * {@code ready}, the client of a server does.
 */
public record DumpSection(
    @Key(
            value =
                "The program and its arguments. It must exit with 0, and print the same text for the same"
                    + " contents. With `ready`, this applies to its client.",
            example = "[./app, dump, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(value = "Time limit.", defaultValue = "10s", min = "10ms", max = "1d") Duration timeout,
    @Key(
            value = "Makes the command a server, and defines when it is ready.",
            example = "{tcp: \"127.0.0.1:{port}\"}")
        Optional<ReadySection> ready,
    @Key(
            value =
                "The client that runs once the server is ready. Its output is the dump. Needs `ready`.",
            example = "{command: [./client, \"{port}\", dump]}")
        Optional<ClientSection> client,
    @Key(
            value = "How the server is stopped after the client has ended. Needs `ready`.",
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
