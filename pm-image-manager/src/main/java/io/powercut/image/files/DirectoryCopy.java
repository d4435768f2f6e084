// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Copies a directory of persistent-memory files: regular files with their holes and all their
 * names, sub-directories and symbolic links, with their permissions, owners and extended
 * attributes, as far as this process may give them ({@link KeptAttributes}). Blocks are shared
 * where the file system can (reflink), so that a copy costs nothing there; else it costs what the
 * files take, not their size. Sockets, FIFOs and devices are bound to processes and left out.
 */
public final class DirectoryCopy {
  private static final int OWNER_ALL = 0700;
  private static final int OWNER_READ_WRITE = 0600;

  private DirectoryCopy() {}

  /**
   * Copies everything below {@code source} into {@code target}, which is created if it is missing
   * and must be empty otherwise; it gets the attributes of the source, too.
   *
   * @throws OutOfSpaceException if the target's file system is full; what was copied so far stays
   * @throws IOException if a file cannot be read or written
   */
  public static void copy(Path source, Path target) throws IOException {
    Files.createDirectories(target);
    requireEmpty(target);
    SortedMap<Path, FileStatus> entries = DirectoryTree.list(source);
    HardLinks links = HardLinks.in(entries);
    try {
      for (Map.Entry<Path, FileStatus> entry : entries.entrySet()) {
        Path name = entry.getKey();
        SortedSet<Path> twins = links.of(name);
        if (twins.isEmpty() || twins.first().equals(name)) {
          copyEntry(source, target, name, entry.getValue());
        } else {
          addName(target.resolve(twins.first()), target.resolve(name));
        }
      }
    } catch (OutOfSpaceException full) {
      throw OutOfSpaceException.at(full.path(), allocatedBytes(entries));
    }
    giveDirectories(source, target, entries);
  }

  private static void addName(Path file, Path name) throws IOException {
    SystemErrors.checked(
        Posix.name(SystemErrors.bytes(file), SystemErrors.bytes(name)), "create", name);
  }

  /** Bytes that the files below a directory take, holes left out: what a copy needs. */
  public static long allocatedBytes(Path directory) throws IOException {
    return allocatedBytes(DirectoryTree.list(directory));
  }

  private static long allocatedBytes(Map<Path, FileStatus> entries) {
    return entries.values().stream().mapToLong(FileStatus::allocatedBytes).sum();
  }

  private static void requireEmpty(Path target) throws IOException {
    if (!DirectoryTree.list(target).isEmpty()) {
      throw new IOException(target + " is not empty; a copy needs an empty directory");
    }
  }

  private static void copyEntry(Path source, Path target, Path name, FileStatus status)
      throws IOException {
    Path from = source.resolve(name);
    Path to = target.resolve(name);
    switch (status.kind()) {
      case FILE -> copyFile(from, to, status);
      case DIRECTORY ->
          SystemErrors.checked(
              Posix.makeDirectory(SystemErrors.bytes(to), OWNER_ALL), "create", to);
      case LINK -> {
        SystemErrors.checked(
            Posix.link(SystemErrors.bytes(Files.readSymbolicLink(from)), SystemErrors.bytes(to)),
            "create",
            to);
        give(from, to, status);
      }
      case SPECIAL -> {}
    }
  }

  private static void copyFile(Path from, Path to, FileStatus status) throws IOException {
    try (SparseFile source = SparseFile.openForReading(from);
        SparseFile target = SparseFile.create(to, OWNER_READ_WRITE)) {
      if (!source.shareBlocksWith(target)) {
        copyExtents(source, target, source.status().size());
      }
    }
    give(from, to, status);
  }

  private static void give(Path from, Path to, FileStatus status) throws IOException {
    EntryAttributes.give(
        to, status.kind(), EntryAttributes.read(to), EntryAttributes.read(from, status));
  }

  private static void copyExtents(SparseFile source, SparseFile target, long size)
      throws IOException {
    target.resize(size);
    long data = source.nextData(0);
    while (data >= 0 && data < size) {
      long hole = Math.min(source.nextHole(data), size);
      source.copyTo(target, data, hole - data);
      data = hole < size ? source.nextData(hole) : -1;
    }
  }

  /** Last, because nothing can be put into a directory that is not writable; inner ones first. */
  private static void giveDirectories(Path source, Path target, SortedMap<Path, FileStatus> entries)
      throws IOException {
    Deque<Path> directories = new ArrayDeque<>(List.of(Path.of("")));
    entries.forEach(
        (name, status) -> {
          if (status.kind() == FileStatus.Kind.DIRECTORY) {
            directories.addFirst(name);
          }
        });
    for (Path name : directories) {
      EntryAttributes.give(
          target.resolve(name),
          FileStatus.Kind.DIRECTORY,
          EntryAttributes.read(target.resolve(name)),
          EntryAttributes.read(source.resolve(name)));
    }
  }
}
