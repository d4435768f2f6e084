// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.EntryAttributes;
import io.powercut.image.pages.ImageEntry;
import io.powercut.image.pages.ImageHash;
import io.powercut.image.pages.PmFile;
import io.powercut.trace.FileAttributes;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What has which name below the PM directory, in the current state. */
final class Names {
  /** Of directories that the program creates, until the trace has them. */
  private static final int CREATED_PERMISSIONS = 0755;

  /** Something that has a name. */
  sealed interface Entry {
    /** As part of an image. */
    ImageEntry freeze();

    void addTo(ImageHash.Sum sum, String name);

    /** The same with the attributes that the trace has; those of a file come by its number. */
    Entry withAttributes(FileAttributes known);

    /** Compares it with what has the name in a directory. */
    void compare(Path name, Comparison comparison);
  }

  /** How entries are compared with those of a directory; symbolic links are not. */
  interface Comparison {
    void compare(Path name, PmFile file);

    void compareAttributes(Path name, FileAttributes attributes);
  }

  /** A regular file. */
  record File(PmFile file) implements Entry {
    @Override
    public ImageEntry freeze() {
      return file.freeze();
    }

    @Override
    public void addTo(ImageHash.Sum sum, String name) {
      file.addTo(sum, name);
    }

    @Override
    public Entry withAttributes(FileAttributes known) {
      return this;
    }

    @Override
    public void compare(Path name, Comparison comparison) {
      comparison.compare(name, file);
    }
  }

  /**
   * A directory.
   *
   * @param isTold whether the trace has the attributes
   */
  record Directory(FileAttributes attributes, boolean isTold) implements Entry {
    @Override
    public ImageEntry freeze() {
      return new ImageEntry.Directory(attributes);
    }

    @Override
    public void addTo(ImageHash.Sum sum, String name) {
      sum.addDirectory(name, attributes);
    }

    @Override
    public Entry withAttributes(FileAttributes known) {
      return new Directory(known, true);
    }

    @Override
    public void compare(Path name, Comparison comparison) {
      if (isTold) {
        comparison.compareAttributes(name, attributes);
      }
    }
  }

  /** A symbolic link; its target is taken as it is. */
  record Link(Path target, FileAttributes attributes) implements Entry {
    @Override
    public ImageEntry freeze() {
      return new ImageEntry.Link(target, attributes);
    }

    @Override
    public void addTo(ImageHash.Sum sum, String name) {
      sum.addLink(name, target.toString(), attributes);
    }

    @Override
    public Entry withAttributes(FileAttributes known) {
      return new Link(target, known);
    }

    @Override
    public void compare(Path name, Comparison comparison) {}
  }

  private final NavigableMap<Path, Entry> entries = new TreeMap<>();

  SortedMap<Path, Entry> all() {
    return entries;
  }

  @Nullable Entry get(Path name) {
    return entries.get(name);
  }

  /** Gives a name, also when something else has it: that loses it. */
  void put(Path name, Entry entry) {
    Path parent = name.getParent();
    if (parent != null && !entries.containsKey(parent)) {
      putDirectory(parent);
    }
    remove(name);
    entries.put(name, entry);
    if (entry instanceof File named) {
      named.file().addName(name);
    }
  }

  /** Gives a name to a directory that the program creates. */
  void putDirectory(Path name) {
    put(name, new Directory(EntryAttributes.created(CREATED_PERMISSIONS), false));
  }

  void remove(Path name) {
    if (entries.remove(name) instanceof File named) {
      named.file().removeName(name);
    }
  }

  /** The trace has the attributes of a directory or a symbolic link; anything else is let be. */
  void setAttributes(Path name, FileAttributes attributes) {
    entries.computeIfPresent(name, (same, entry) -> entry.withAttributes(attributes));
  }

  /** Renames a directory and all in it. */
  void renameDirectory(Path from, Path to) {
    SortedMap<Path, Entry> moved = new TreeMap<>(entries.tailMap(from, true));
    moved.keySet().removeIf(name -> !name.startsWith(from));
    moved.keySet().forEach(this::remove);
    for (Map.Entry<Path, Entry> entry : moved.entrySet()) {
      put(to.resolve(from.relativize(entry.getKey())), entry.getValue());
    }
  }
}
