// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders on tmpfs, where persistent memory is tested without waiting for a disk. */
final class MemoryTempDir implements TempDirFactory {
  private static final Path TMPFS = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
      throws IOException {
    return Files.isWritable(TMPFS)
        ? Files.createTempDirectory(TMPFS, "powercut-test")
        : Files.createTempDirectory("powercut-test");
  }
}
