package io.powercut.orchestrator.campaign;

import static java.util.Objects.requireNonNull;

import io.powercut.orchestrator.campaign.binding.Key;
import io.powercut.orchestrator.campaign.template.CommandTemplate;
import java.time.Duration;

/** What prints the contents of the PM files, in a form in which equal contents are equal texts. */
public record DumpSection(
    @Key(
            value =
                "The program and its arguments. It exits with 0, and prints the same for the same contents.",
            example = "[./app, dump, \"{pm}/pool\"]")
        CommandTemplate command,
    @Key(value = "How long it may take.", defaultValue = "10s", min = "10ms", max = "1d")
        Duration timeout) {
  /** What it is called among the steps of recovery. */
  public static final String STEP = "dump";

  public DumpSection {
    requireNonNull(command, "command is null");
    requireNonNull(timeout, "timeout is null");
  }
}
