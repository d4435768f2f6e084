// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

/** What the user should know although the command goes ahead. */
final class Warnings {
  private Warnings() {}

  /** Prints one on standard error. */
  static void print(Object warning) {
    System.err.println("warning: " + warning);
  }
}
