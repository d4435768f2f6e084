// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.input;

import io.powercut.image.files.FreeSpace;
import io.powercut.image.files.OutOfSpaceException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Failures of the system to read or write a file, which are not mistakes of the user: the disk is
 * full, or the file may not be written. Java leaves the file's name out of some of them.
 */
public final class FileFailure {
  /** As the C library says it, which Java passes on. */
  private static final List<String> FULL =
      List.of("No space left on device", "Disk quota exceeded");

  private FileFailure() {}

  /** The same failure with the name of the file. */
  public static IOException at(Path file, IOException failure) {
    if (failure instanceof OutOfSpaceException
        || (failure instanceof FileSystemException known && known.getFile() != null)) {
      return failure;
    }
    FileSystemException named =
        new FileSystemException(file.toString(), null, failure.getMessage());
    named.initCause(failure);
    return named;
  }

  /** Says which file system is full, if that is what the failure is. */
  public static Optional<String> full(IOException failure) {
    if (failure instanceof OutOfSpaceException) {
      return Optional.ofNullable(failure.getMessage());
    }
    String message = String.valueOf(failure.getMessage());
    if (FULL.stream().noneMatch(message::contains)) {
      return Optional.empty();
    }
    if (failure instanceof FileSystemException known && known.getFile() != null) {
      // Where a file is copied, it is the copy that has no space.
      String file = known.getOtherFile() == null ? known.getFile() : known.getOtherFile();
      return Optional.of(
          "%s: no space left on its file system (%s); free some"
              .formatted(file, FreeSpace.at(Path.of(file))));
    }
    return Optional.of("no space left on a file system; free some");
  }
}
