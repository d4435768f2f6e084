// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.cli.progress.Screen;

/** What the user should know although the command goes ahead. */
final class Warnings {
  private Warnings() {}

  /** Prints one on standard error. */
  static void print(Object warning) {
    Screen.errors().print("warning: " + warning);
  }
}
