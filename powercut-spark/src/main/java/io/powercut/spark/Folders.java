// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Folders of a unit: made, packed, unpacked and removed. */
final class Folders {
  private Folders() {}

  /** Unpacks an archive that Powercut made. */
  static void unpack(Path archive, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    tar(List.of("tar", "-xzSf", archive.toString(), "-C", folder.toString()));
  }

  /** Packs what a folder holds. */
  static void pack(Path folder, Path archive) throws IOException, InterruptedException {
    tar(List.of("tar", "-czSf", archive.toString(), "-C", folder.toString(), "."));
  }

  private static void tar(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + said);
    }
  }

  /** Removes a folder and all below it; links are not followed. */
  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> entries = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.forEach(entries::add);
    }
    Collections.reverse(entries);
    for (Path entry : entries) {
      Files.deleteIfExists(entry);
    }
  }
}
