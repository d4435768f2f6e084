package io.powercut.image;

import java.nio.file.Path;
import java.util.Optional;

/** Something that has a name in an image; never changes. */
sealed interface ImageEntry {
  /**
   * A regular file.
   *
   * @param size in bytes
   * @param pages hashes, and slots of the {@link PageStore}
   * @param base where pages without a slot that are not zero have their contents
   */
  record File(long size, int permissions, PageTable pages, Optional<Path> base)
      implements ImageEntry {}

  /** A directory. */
  record Directory(int permissions) implements ImageEntry {}

  /** A symbolic link. */
  record Link(Path target) implements ImageEntry {}
}
