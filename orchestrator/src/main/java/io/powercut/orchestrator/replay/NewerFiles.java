// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.process.CommandSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.Optional;

/** The files that commands name: programs, and the scripts that these are given. */
final class NewerFiles {
  private NewerFiles() {}

  /**
   * The first that was written after a moment.
   *
   * @param own the directories of the execution, whose files are always new
   */
  static Optional<Path> first(
      Collection<CommandSpec> commands, FileTime since, Collection<Path> own) {
    return commands.stream()
        .flatMap(
            command ->
                command.arguments().stream()
                    .flatMap(argument -> file(command.workingDirectory(), argument).stream()))
        .filter(file -> own.stream().noneMatch(file::startsWith))
        .filter(file -> isNewer(file, since))
        .findFirst();
  }

  private static Optional<Path> file(Path directory, String argument) {
    try {
      return Optional.of(directory.resolve(argument).toAbsolutePath().normalize())
          .filter(Files::isRegularFile);
    } catch (InvalidPathException notAPath) {
      return Optional.empty();
    }
  }

  private static boolean isNewer(Path file, FileTime since) {
    try {
      return Files.getLastModifiedTime(file).compareTo(since) > 0;
    } catch (IOException goneMeanwhile) {
      return false;
    }
  }
}
