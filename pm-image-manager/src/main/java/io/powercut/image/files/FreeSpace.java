// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What is free on a file system.
 *
 * @param bytes for files of this user
 * @param inodes how many more files there can be; nothing where that is not counted
 */
public record FreeSpace(long bytes, OptionalLong inodes) {
  /**
   * Asks the file system that a path is on, or will be on.
   *
   * @return 0 bytes when it cannot be asked
   */
  public static FreeSpace at(Path path) {
    for (Path place = path.toAbsolutePath(); place != null; place = place.getParent()) {
      if (Files.exists(place)) {
        return of(place);
      }
    }
    return new FreeSpace(0, OptionalLong.empty());
  }

  private static FreeSpace of(Path place) {
    long[] status = new long[3];
    if (Posix.fileSystem(SystemErrors.bytes(place), status) < 0) {
      return new FreeSpace(0, OptionalLong.empty());
    }
    return new FreeSpace(
        status[0], status[2] == 0 ? OptionalLong.empty() : OptionalLong.of(status[1]));
  }

  /** {@code 0.5 MiB free}, and where there is room for no more files, that. */
  @Override
  public String toString() {
    String text = String.format(Locale.ROOT, "%.1f MiB free", bytes / 1048576.0);
    return inodes.isPresent() && inodes.getAsLong() == 0
        ? text + ", but none of its inodes, which each file needs"
        : text;
  }
}
