// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator;

import io.powercut.orchestrator.cli.PowercutCommand;
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
    Interruption.exit(PowercutCommand.execute(arguments));
  }
}
