// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.inspection;

import com.google.common.base.Splitter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where a program is that a user names as in a shell. */
final class ProgramFile {
  private ProgramFile() {}

  /** Its file: as it is if it has a slash, else from the PATH; nothing if it cannot be run. */
  static Optional<Path> find(String program) {
    if (program.contains("/")) {
      return Optional.of(Path.of(program)).filter(ProgramFile::isProgram);
    }
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    for (String directory : Splitter.on(':').omitEmptyStrings().split(path)) {
      Path file = Path.of(directory, program);
      if (isProgram(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
