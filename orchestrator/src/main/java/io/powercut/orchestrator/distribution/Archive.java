// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Folders as one file, with holes and attributes kept: GNU tar, which is on every Debian. */
final class Archive {
  private Archive() {}

  /** Writes all that a folder holds. */
  static void pack(Path folder, Path file) {
    tar(List.of("tar", "-czSf", file.toString(), "-C", folder.toString(), "."));
  }

  /** Restores it into a folder, which is made. */
  static void unpack(Path file, Path folder) throws IOException {
    Files.createDirectories(folder);
    tar(List.of("tar", "-xzSf", file.toString(), "-C", folder.toString()));
  }

  private static void tar(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int exit = process.waitFor();
      if (exit != 0) {
        throw PowercutException.notTrustworthy(
            "%s failed with exit code %d: %s".formatted(String.join(" ", command), exit, said));
      }
    } catch (IOException e) {
      throw PowercutException.notTrustworthy("cannot run " + FileProblem.of(e).text());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PowercutException.notTrustworthy("interrupted while an archive was written");
    }
  }
}
