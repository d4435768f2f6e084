// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.manual;

import io.powercut.exit.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code powercut man}. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a manual page for each command, for man.",
      "",
      "  powercut man ~/.local/share/man/man1",
      "  man powercut-run"
    })
public final class ManCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The directory to write to. It is created.")
  private Path directory = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    CommandLine all = spec.root().commandLine();
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("powercut.1"), ManPage.of(all));
    int count = 1;
    for (Map.Entry<String, CommandLine> one : all.getSubcommands().entrySet()) {
      Files.writeString(
          directory.resolve("powercut-" + one.getKey() + ".1"), ManPage.of(one.getValue()));
      count++;
    }
    System.out.println("wrote " + count + " pages to " + directory);
    return ExitCode.NOTHING_NEW.code();
  }
}
