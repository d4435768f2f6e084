package io.powercut.orchestrator.campaign;

import static java.util.Objects.requireNonNull;

import io.powercut.orchestrator.campaign.binding.Key;
import io.powercut.orchestrator.campaign.template.CommandTemplate;
import java.time.Duration;

/** What makes the files that the target starts from. It has to exit with 0. */
public record SetupSection(
    @Key(value = "The program and its arguments.", example = "[./app, create, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(value = "How long it may take.", defaultValue = "1m", min = "10ms", max = "1d")
        Duration timeout) {

  public SetupSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
  }
}
