// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Path;

/** A program of its own: starts a command that never ends, and waits for it. */
final class StartAndWait {
  private StartAndWait() {}

  public static void main(String[] arguments) {
    try (Supervisor supervisor = Supervisor.start()) {
      supervisor.run(
          TestPrograms.marked(arguments[1], Path.of(arguments[0]), "children-and-hang", "3")
              .build());
    }
  }
}
