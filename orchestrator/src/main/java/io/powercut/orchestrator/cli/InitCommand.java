// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.loading.CampaignTemplate;
import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.inspection.FirstCampaign;
import io.powercut.orchestrator.session.TemporaryRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut init}. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a new campaign file. Looks at the program first: how it persists, and which commands its"
          + " --help names. The program is run with --help only, in an empty directory, for at most 5 seconds.",
      "",
      "  powercut init my-program --program ./my-program",
      "  powercut init my-program --all-keys"
    })
final class InitCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description = "The campaign's name. The file is NAME.yaml, unless --file is given.")
  private String name = "";

  @Option(
      names = "--program",
      paramLabel = "PROGRAM",
      description =
          "The program to test, for example ./app. It is filled in as the program of all commands.")
  private Optional<String> program = Optional.empty();

  @Option(names = "--file", paramLabel = "FILE", description = "The campaign file to write.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--all-keys",
      description = "Writes every key with its explanation and default, and looks at no program.")
  private boolean allKeys;

  @Override
  public Integer call() throws IOException {
    if (program.isEmpty() && name.indexOf('/') >= 0) {
      throw PowercutException.usage(
          "%s is no name for a campaign; to test the program of that name: powercut init NAME --program %s"
              .formatted(name, name));
    }
    Path target = file.orElse(Path.of(name + ".yaml"));
    Screen screen = Screen.output();
    if (allKeys || program.isEmpty()) {
      CampaignTemplate.write(target, Optional.of(name), program);
      screen.print("wrote " + target);
      screen.print("fill in its commands, then: powercut run " + target);
      return ExitCode.NOTHING_NEW.code();
    }
    FirstCampaign campaign = inspected(program.get());
    campaign.write(target, name);
    screen.print("looked at " + program.get() + ":");
    campaign.seen().forEach(line -> screen.print("  " + line));
    screen.print("wrote " + target);
    campaign.toFillIn().forEach(line -> screen.print("  fill in " + line));
    screen.print(
        (campaign.toFillIn().isEmpty() ? "read it, then: " : "then: ") + "powercut run " + target);
    return ExitCode.NOTHING_NEW.code();
  }

  /** In a directory of its own, since a program may do anything when it is asked for help. */
  private FirstCampaign inspected(String wanted) throws IOException {
    try (TemporaryRun scratch = TemporaryRun.create()) {
      return FirstCampaign.of(name, wanted, scratch.directory().path());
    }
  }
}
