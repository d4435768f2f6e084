// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.loading.CampaignTemplate;
import io.powercut.exit.ExitCode;
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
      "Writes a new campaign file with an explanation of every key.",
      "",
      "  powercut init my-program --program ./my-program"
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

  @Override
  public Integer call() throws IOException {
    Path target = file.orElse(Path.of(name + ".yaml"));
    CampaignTemplate.write(target, Optional.of(name), program);
    System.out.println("wrote " + target);
    System.out.println("fill in its commands, then: powercut run " + target);
    return ExitCode.NOTHING_NEW.code();
  }
}
