// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The flush instructions that not every processor has. A recovery that uses one dies of it
 * elsewhere, which would look like a bug.
 */
public final class FlushInstructions {
  private static final List<String> ALL = List.of("clflushopt", "clwb");

  private FlushInstructions() {}

  /** Those of this machine's processor. */
  public static List<String> ofThisMachine() {
    try {
      Set<String> flags =
          Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
              .filter(line -> line.startsWith("flags"))
              .limit(1)
              .flatMap(line -> Arrays.stream(line.split("\\s+")))
              .collect(Collectors.toSet());
      return ALL.stream().filter(flags::contains).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
