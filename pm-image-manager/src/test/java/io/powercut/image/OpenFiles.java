// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files that this process has open. */
public final class OpenFiles {
  private OpenFiles() {}

  /** The names of those below a directory. */
  public static List<String> below(Path directory) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(OpenFiles::target)
          .filter(path -> path.startsWith(directory))
          .map(path -> path.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException closedMeanwhile) {
      return descriptor;
    }
  }
}
