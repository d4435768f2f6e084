// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file system had no room for a copy or an image. This is never a bug of the target: what was to
 * be judged could not be judged.
 */
public final class OutOfSpaceException extends IOException {
  private final transient Path path;
  private final long neededBytes;
  private final long freeBytes;

  private OutOfSpaceException(String message, Path path, long neededBytes, long freeBytes) {
    super(message);
    this.path = path;
    this.neededBytes = neededBytes;
    this.freeBytes = freeBytes;
  }

  /**
   * Measures what is free at this moment.
   *
   * @param neededBytes what the whole operation takes, 0 when that is not known
   */
  static OutOfSpaceException at(Path path, long neededBytes) {
    FreeSpace free = FreeSpace.at(path);
    return new OutOfSpaceException(
        message(path, neededBytes, free), path, neededBytes, free.bytes());
  }

  /** The file or directory that did not fit. */
  public Path path() {
    return path;
  }

  /** Bytes that the whole operation takes; 0 when that is not known. */
  public long neededBytes() {
    return neededBytes;
  }

  /** Bytes that were free on the path's file system; 0 also when that could not be asked. */
  public long freeBytes() {
    return freeBytes;
  }

  private static String message(Path path, long needed, FreeSpace free) {
    return path
        + ": no space left on its file system ("
        + (needed > 0 ? mebibytes(needed) + " needed, " : "")
        + free
        + "); free some, run fewer in parallel, use a smaller pool, or set pm.directory to a larger file"
        + " system";
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
  }
}
