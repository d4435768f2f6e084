package io.powercut.orchestrator;

import io.powercut.orchestrator.cli.PowercutCommand;

/** Where {@code powercut} starts. */
public final class Main {
  private Main() {}

  /**
   * Runs one command and exits with its exit code.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    System.exit(PowercutCommand.execute(arguments));
  }
}
