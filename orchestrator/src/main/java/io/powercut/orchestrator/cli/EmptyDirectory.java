// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Directories that an option names for what is to be kept. */
final class EmptyDirectory {
  private EmptyDirectory() {}

  /**
   * Makes the directory if it is missing.
   *
   * @throws PowercutException if there is something in it, or if it cannot be made
   */
  static void require(String option, Path directory) {
    try {
      Files.createDirectories(directory);
      try (Stream<Path> entries = Files.list(directory)) {
        if (entries.findAny().isPresent()) {
          throw PowercutException.usage(
              option + " " + directory + " is not empty; choose a new directory.");
        }
      }
    } catch (IOException e) {
      FileProblem problem = FileProblem.of(e);
      throw PowercutException.usage(
          "%s %s cannot be made: %s; %s"
              .formatted(option, directory, problem.textBeside(directory), problem.remedy()));
    }
  }
}
