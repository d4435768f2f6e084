// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** Words for why a command did not start. The stages are those of command.h. */
final class StartFailure {
  private static final int OUTPUT = 1;
  private static final int DIRECTORY = 2;
  private static final int PROGRAM = 3;

  private static final int ENOENT = 2;
  private static final int ENOEXEC = 8;
  private static final int EACCES = 13;

  private StartFailure() {}

  static String describe(CommandSpec command, int stage, int error, String kernelSays) {
    return switch (stage) {
      case OUTPUT ->
          "its output file " + command.outputFile().orElse(Path.of("")) + ": " + kernelSays;
      case DIRECTORY -> "its working directory " + command.workingDirectory() + ": " + kernelSays;
      case PROGRAM -> program(command, error, kernelSays);
      default -> "no process: " + kernelSays;
    };
  }

  private static String program(CommandSpec command, int error, String kernelSays) {
    String program = command.arguments().get(0);
    if (program.indexOf('/') < 0) {
      return "there is no program \"" + program + "\" on the PATH";
    }
    Path path = command.workingDirectory().resolve(program);
    if (error == ENOENT && Files.exists(path)) {
      return path + " exists, but its interpreter (#! line or dynamic loader) does not";
    }
    if (error == EACCES && Files.isDirectory(path)) {
      return path + " is a directory";
    }
    if (error == EACCES && Files.exists(path)) {
      return path + " is not executable: " + kernelSays + " (chmod +x makes it so)";
    }
    if (error == ENOEXEC) {
      return path
          + " is not a program: "
          + kernelSays
          + " (a script needs a first line like #!/bin/sh)";
    }
    return path + ": " + kernelSays;
  }
}
