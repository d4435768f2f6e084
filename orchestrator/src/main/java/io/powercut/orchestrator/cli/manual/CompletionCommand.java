// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.manual;

import io.powercut.exit.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code powercut completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a script with which a shell completes commands, options and their values.",
      "",
      "  source <(powercut completion bash)                    in ~/.bashrc",
      "  source <(powercut completion zsh)                     in ~/.zshrc",
      "  powercut completion fish | source                     in ~/.config/fish/config.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** As users write them. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Override
  public Integer call() {
    CommandLine all = spec.root().commandLine();
    System.out.print(
        switch (shell) {
          case bash, zsh -> AutoComplete.bash(all.getCommandName(), all);
          case fish -> FishCompletion.of(all);
        });
    return ExitCode.NOTHING_NEW.code();
  }
}
