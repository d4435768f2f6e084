// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps a command from filling a disk. Looked at every 25 ms and once after the end, so a fast
 * writer can go past it for that long.
 *
 * @param directory the directory that the command writes to
 * @param reserve what the directory's file system must keep free
 * @param limit what the files below the directory may occupy; holes of sparse files do not count
 */
public record SpaceGuard(Path directory, Optional<DataSize> reserve, Optional<DataSize> limit) {
  /** Only the file system's free space matters. */
  public static SpaceGuard keepFree(Path directory, DataSize reserve) {
    return new SpaceGuard(directory, Optional.of(reserve), Optional.empty());
  }

  /** Only what the directory holds matters. */
  public static SpaceGuard atMost(Path directory, DataSize limit) {
    return new SpaceGuard(directory, Optional.empty(), Optional.of(limit));
  }

  /** The same guard that also keeps so much free. */
  public SpaceGuard andKeepFree(DataSize newReserve) {
    return new SpaceGuard(directory, Optional.of(newReserve), limit);
  }
}
