// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code stat} says of a file.
 *
 * @param mode type and permission bits
 * @param size in bytes
 * @param allocatedBytes what it takes on its file system, holes left out
 * @param links how many names it has
 */
public record FileStatus(
    int mode,
    long size,
    long allocatedBytes,
    long links,
    long device,
    long inode,
    int owner,
    int group) {
  private static final int VALUES = 8;
  private static final int TYPE = 0170000;
  private static final int SYMBOLIC_LINK = 0120000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;

  /** Types of directory entries that matter here. */
  public enum Kind {
    FILE,
    DIRECTORY,
    LINK,
    /** A socket, FIFO or device: bound to processes, no part of an image. */
    SPECIAL
  }

  /** Of the path itself, symbolic links not followed; empty if there is nothing. */
  public static Optional<FileStatus> ofLink(Path path) throws IOException {
    long[] values = new long[VALUES];
    int result = Posix.linkStatus(SystemErrors.bytes(path), values);
    if (result == -Posix.NO_SUCH_FILE) {
      return Optional.empty();
    }
    SystemErrors.checked(result, "look at", path);
    return Optional.of(of(values));
  }

  static FileStatus ofOpen(int file, Path path) throws IOException {
    long[] values = new long[VALUES];
    SystemErrors.checked(Posix.status(file, values), "look at", path);
    return of(values);
  }

  public Kind kind() {
    return switch (mode & TYPE) {
      case REGULAR -> Kind.FILE;
      case DIRECTORY -> Kind.DIRECTORY;
      case SYMBOLIC_LINK -> Kind.LINK;
      default -> Kind.SPECIAL;
    };
  }

  int permissions() {
    return mode & 07777;
  }

  private static FileStatus of(long[] values) {
    return new FileStatus(
        (int) values[0],
        values[1],
        values[2],
        values[3],
        values[4],
        values[5],
        (int) values[6],
        (int) values[7]);
  }
}
