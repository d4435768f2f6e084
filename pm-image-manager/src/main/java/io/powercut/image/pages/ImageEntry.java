// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.trace.FileAttributes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Something that has a name in an image; never changes. */
public sealed interface ImageEntry {
  /** What it has beside its content. */
  FileAttributes attributes();

  /** Adds this under a name to the hash of an image. */
  void addTo(ImageHash.Sum total, String name);

  /** What a visitor makes of it. */
  <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X;

  /**
   * Makes something of each kind.
   *
   * @param <R> what it makes
   * @param <X> what can go wrong
   */
  interface Visitor<R, X extends Exception> {
    /** Visits a {@link File}. */
    R visit(File file) throws X;

    /** Visits a {@link Directory}. */
    R visit(Directory directory) throws X;

    /** Visits a {@link Link}. */
    R visit(Link link) throws X;
  }

  /**
   * A regular file.
   *
   * @param size in bytes
   * @param attributes what it has beside its content
   * @param pages hashes, and slots of the {@link PageStore}
   * @param sum over the pages
   * @param base where pages without a slot that are not zero have their contents
   * @param lines what lies over the contents in slots and base, in pages whose hashes are those
   *     with them
   * @param names all of its names in their order, if there are several; otherwise none
   */
  record File(
      long size,
      FileAttributes attributes,
      PageTable pages,
      PageSum sum,
      Optional<Path> base,
      LinesOver lines,
      List<Path> names)
      implements ImageEntry {
    @Override
    public void addTo(ImageHash.Sum total, String name) {
      total.addFile(name, size, sum, attributes, names);
    }

    /** Whether another name stands for all of the file's. */
    public boolean isFurtherName(Path name) {
      return !names.isEmpty() && !names.get(0).equals(name);
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /** A directory. */
  record Directory(FileAttributes attributes) implements ImageEntry {
    @Override
    public void addTo(ImageHash.Sum total, String name) {
      total.addDirectory(name, attributes);
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /** A symbolic link. */
  record Link(Path target, FileAttributes attributes) implements ImageEntry {
    @Override
    public void addTo(ImageHash.Sum total, String name) {
      total.addLink(name, target.toString(), attributes);
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }
}
