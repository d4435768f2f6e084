// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.binding.Scope;
import io.powercut.campaign.template.CommandTemplate;
import java.time.Duration;

/** What has to be built before the campaign. It has to exit with 0. */
public record BuildSection(
    @Key(
            value =
                "The program and its arguments. {pm}, {port} and {run} are not available, since no"
                    + " execution exists yet.",
            scope = Scope.BUILD,
            example = "[make, -C, src]")
        CommandTemplate command,
    @Key(value = "Time limit.", defaultValue = "10m", min = "1s", max = "1d") Duration timeout) {

  public BuildSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
  }
}
