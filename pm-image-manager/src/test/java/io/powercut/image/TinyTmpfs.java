// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import java.io.IOException;
import java.nio.file.Path;

/** A tmpfs of 1 MiB over a directory, for as long as it is open; not mounted unless run by root. */
record TinyTmpfs(Path place, boolean mounted) implements AutoCloseable {
  static TinyTmpfs mount(Path place) throws IOException {
    return new TinyTmpfs(
        place, succeeds("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place.toString()));
  }

  @Override
  public void close() throws IOException {
    if (mounted && !succeeds("umount", place.toString())) {
      throw new IllegalStateException("cannot unmount " + place);
    }
  }

  private static boolean succeeds(String... command) throws IOException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .onExit()
            .join()
            .exitValue()
        == 0;
  }
}
