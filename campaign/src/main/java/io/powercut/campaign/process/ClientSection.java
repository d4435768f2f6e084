// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.process;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.template.CommandTemplate;
import java.time.Duration;

/** What is run against a server, without instrumentation. */
public record ClientSection(
    @Key(
            value = "The program and its arguments.",
            example = "[./client, \"127.0.0.1\", \"{port}\"]")
        CommandTemplate command,
    @Key(value = "Time limit.", defaultValue = "1m", min = "10ms", max = "7d") Duration timeout,
    @Key(
            value =
                "How a successful client ends. In a recovery, any other end means that the image is not"
                    + " consistent.",
            example = "{exit: [0]}")
        Expectation success) {

  public ClientSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
    requireNonNull(success, "success is null");
  }
}
