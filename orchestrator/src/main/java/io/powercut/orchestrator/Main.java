// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import io.powercut.orchestrator.cli.PowercutCommand;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.cli.progress.StandardOutput;
import io.powercut.orchestrator.session.Interruption;

/** Where {@code powercut} starts. */
public final class Main {
  private Main() {}

  /**
   * Runs one command and exits with its exit code.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    StandardOutput output = StandardOutput.install();
    int exitCode = PowercutCommand.execute(arguments);
    System.out.flush();
    output.problem().ifPresent(problem -> Screen.errors().print("powercut: " + problem));
    Interruption.exit(output.exitCode(exitCode));
  }
}
