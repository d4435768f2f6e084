// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import io.powercut.image.PmArea;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** A directory of one execution, in a {@link PmArea}; closing it removes it with all below it. */
public final class PrivateDirectory implements AutoCloseable {
  private final Path path;

  public PrivateDirectory(Path path) {
    this.path = Objects.requireNonNull(path, "path is null");
  }

  /** The absolute path; all private directories of an area have paths of equal length. */
  public Path path() {
    return path;
  }

  /** Removes the directory; a second time does nothing. */
  @Override
  public void close() throws IOException {
    Removal.remove(path);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
