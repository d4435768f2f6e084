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
import io.powercut.process.DataSize;
import java.time.Duration;
import java.util.Optional;

/**
 * A command that recovers or checks a crash image, without instrumentation; with {@code ready}, a
 * server.
 */
public record RecoveryStep(
    @Key(
            value = "The name of the step in reports. Names must differ.",
            defaultValue = "recovery",
            pattern = "[A-Za-z0-9][A-Za-z0-9 _-]{0,63}",
            example = "check")
        String name,
    @Key(value = "The program and its arguments.", example = "[./app, check, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(
            value = "Time limit. A recovery that takes longer is reported as hung.",
            defaultValue = "10s",
            min = "10ms",
            max = "1d")
        Duration timeout,
    @Key(
            value = "Memory limit. Default: `limits.memory`.",
            min = "16MiB",
            max = "64TiB",
            example = "1GiB")
        Optional<DataSize> memory,
    @Key(
            value = "How the step ends on a consistent image. All of these conditions must hold.",
            example = "{exit: [0], notOutput: \"(?i)corrupt\"}")
        Expectation consistent,
    @Key(
            value =
                "Makes the command a server, and defines when it is ready. A server that never becomes"
                    + " ready is not consistent.",
            example = "{tcp: \"127.0.0.1:{port}\"}")
        Optional<ReadySection> ready,
    @Key(
            value = "The client that runs once the server is ready. Needs `ready`.",
            example = "{command: [./client, \"{port}\", check]}")
        Optional<ClientSection> client,
    @Key(
            value = "How the server is stopped after the client has ended. Needs `ready`.",
            example = "{signal: TERM}")
        Optional<StopSection> stop,
    @Key(
            value =
                "Cut the power in this step too, on images on which recovery succeeds, and recover again."
                    + " `recoveryCrash` sets how often. Needs `injection: recorded`.",
            defaultValue = "false")
        boolean inject)
    implements PossibleServer {

  public RecoveryStep {
    requireNonNull(name, "name is null");
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
    requireNonNull(memory, "memory is null");
    requireNonNull(consistent, "consistent is null");
    ServerKeys.check(ready, client, stop);
  }
}
