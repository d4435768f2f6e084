// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where Powercut lives on this machine: the folder with the {@code powercut} script. */
public final class PowercutHome {
  private static final String PROPERTY = "powercut.home";

  private PowercutHome() {}

  /**
   * The folder that the system property {@code powercut.home} names, or else the nearest folder at
   * or above the working directory that holds Powercut.
   *
   * @throws IllegalStateException if there is none
   */
  public static Path find() {
    String property = System.getProperty(PROPERTY);
    if (property != null && !property.isEmpty()) {
      return Path.of(property).toAbsolutePath().normalize();
    }
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null) {
      if (Files.isDirectory(directory.resolve("process-control/native"))) {
        return directory;
      }
      directory = directory.getParent();
    }
    throw new IllegalStateException(
        "Powercut's folder was not found above the working directory; start java with -Dpowercut.home=FOLDER");
  }

  /**
   * A native program of this module.
   *
   * @throws IllegalStateException if it has not been built
   */
  public static Path nativeProgram(String name) {
    return nativeProgram("process-control", name);
  }

  /**
   * A native program of a module.
   *
   * @throws IllegalStateException if it has not been built
   */
  public static Path nativeProgram(String module, String name) {
    Path program = find().resolve(module + "/target/native").resolve(name);
    if (!Files.isExecutable(program)) {
      throw new IllegalStateException(
          program + " is missing; build it with: make -C " + module + "/native");
    }
    return program;
  }
}
