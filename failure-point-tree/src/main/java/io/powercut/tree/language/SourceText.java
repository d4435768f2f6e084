// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The text of source files. */
public final class SourceText {
  private static final int BYTES_READ = 4 << 20;

  private SourceText() {}

  /**
   * What a file holds, up to 4 MiB; nothing if it is not there. The names come from the target's
   * binary, so they can name anything: devices, pipes, disks.
   */
  public static String of(String file) {
    try {
      Path path = Path.of(file);
      if (!path.isAbsolute() || !Files.isRegularFile(path)) {
        return "";
      }
      try (InputStream in = Files.newInputStream(path)) {
        return new String(in.readNBytes(BYTES_READ), StandardCharsets.UTF_8);
      }
    } catch (IOException | InvalidPathException e) {
      return "";
    }
  }
}
