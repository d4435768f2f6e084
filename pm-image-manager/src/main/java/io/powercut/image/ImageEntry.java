package io.powercut.image;

import java.nio.file.Path;
import java.util.Optional;

/** Something that has a name in an image; never changes. */
sealed interface ImageEntry {
  /** Adds this under a name to the hash of an image. */
  void addTo(ImageHash.Sum total, String name);

  /**
   * A regular file.
   *
   * @param size in bytes
   * @param pages hashes, and slots of the {@link PageStore}
   * @param sum over the pages
   * @param base where pages without a slot that are not zero have their contents
   * @param lines what lies over the contents in slots and base, in pages whose hashes are those
   *     with them
   */
  record File(
      long size,
      int permissions,
      PageTable pages,
      PageSum sum,
      Optional<Path> base,
      LinesOver lines)
      implements ImageEntry {
    static File of(long size, int permissions, PageTable pages, PageSum sum, Optional<Path> base) {
      return new File(size, permissions, pages, sum, base, LinesOver.NONE);
    }

    @Override
    public void addTo(ImageHash.Sum total, String name) {
      total.addFile(name, size, sum);
    }
  }

  /** A directory. */
  record Directory(int permissions) implements ImageEntry {
    @Override
    public void addTo(ImageHash.Sum total, String name) {
      total.addDirectory(name);
    }
  }

  /** A symbolic link. */
  record Link(Path target) implements ImageEntry {
    @Override
    public void addTo(ImageHash.Sum total, String name) {
      total.addLink(name, target.toString());
    }
  }
}
