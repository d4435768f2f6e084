// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What copies and images of a directory cannot keep, since this process may not give it. */
public final class KeptAttributes {
  private static final int OWNER_ALL = 0700;

  private KeptAttributes() {}

  /**
   * Tries it.
   *
   * @param directory the original
   * @param scratch an existing directory on the file system of the copies
   * @return the first entry of which something gets lost, and what, in words; nothing if all can be
   *     kept
   */
  public static Optional<String> missing(Path directory, Path scratch) throws IOException {
    Map<Trial, Path> trials = new LinkedHashMap<>();
    FileAttributes own = EntryAttributes.created(OWNER_ALL);
    for (Map.Entry<Path, FileStatus> entry : DirectoryTree.list(directory).entrySet()) {
      FileStatus status = entry.getValue();
      FileAttributes attributes =
          EntryAttributes.read(directory.resolve(entry.getKey()), status)
              .withPermissions(OWNER_ALL);
      if (!attributes.equals(own) && status.kind() != FileStatus.Kind.SPECIAL) {
        boolean isDirectory = status.kind() == FileStatus.Kind.DIRECTORY;
        trials.putIfAbsent(new Trial(isDirectory, attributes), entry.getKey());
      }
    }
    for (Map.Entry<Trial, Path> one : trials.entrySet()) {
      Optional<String> missing = one.getKey().on(scratch.resolve("attributes"));
      if (missing.isPresent()) {
        return Optional.of("the %s of %s".formatted(missing.get(), one.getValue()));
      }
    }
    return Optional.empty();
  }

  /** Attributes to be given to something of a kind. */
  private record Trial(boolean isDirectory, FileAttributes attributes) {
    Optional<String> on(Path path) throws IOException {
      FileStatus.Kind kind = isDirectory ? FileStatus.Kind.DIRECTORY : FileStatus.Kind.FILE;
      if (isDirectory) {
        SystemErrors.checked(
            Posix.makeDirectory(SystemErrors.bytes(path), OWNER_ALL), "create", path);
      } else {
        SparseFile.create(path, OWNER_ALL).close();
      }
      try {
        return EntryAttributes.give(path, kind, EntryAttributes.read(path), attributes);
      } finally {
        Removal.remove(path);
      }
    }
  }
}
