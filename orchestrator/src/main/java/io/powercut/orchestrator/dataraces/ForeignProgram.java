// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Programs of AArch64, which other machines emulate. */
final class ForeignProgram {
  private static final String EMULATOR = "qemu-aarch64";
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final int MACHINE = 18; // where an ELF file names it
  private static final int AARCH64 = 183;

  private ForeignProgram() {}

  /**
   * The command that runs a program here.
   *
   * @param command the program and its arguments
   * @param directory where it runs
   * @throws PowercutException if an emulator is needed and missing
   */
  static List<String> command(List<String> command, Path directory) {
    if (System.getProperty("os.arch").equals("aarch64")
        || !isAarch64(directory.resolve(command.get(0)))) {
      return command;
    }
    if (!isInstalled()) {
      throw PowercutException.notTrustworthy(
          "%s is a program of AArch64, and %s is missing; remedy: apt-get install qemu-user"
              .formatted(command.get(0), EMULATOR));
    }
    return Stream.concat(
            Stream.of(EMULATOR, "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"), command.stream())
        .toList();
  }

  private static boolean isAarch64(Path program) {
    if (!Files.isRegularFile(program)) {
      return false;
    }
    try (InputStream file = Files.newInputStream(program)) {
      byte[] header = file.readNBytes(MACHINE + 2);
      return header.length == MACHINE + 2
          && Arrays.equals(header, 0, ELF.length, ELF, 0, ELF.length)
          && (header[MACHINE] & 0xff) == AARCH64
          && header[MACHINE + 1] == 0;
    } catch (IOException e) {
      return false; // starting it says why
    }
  }

  private static boolean isInstalled() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, EMULATOR)));
  }
}
