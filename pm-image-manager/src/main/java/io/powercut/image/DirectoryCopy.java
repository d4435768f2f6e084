package io.powercut.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Copies a directory of persistent-memory files: regular files with their holes, sub-directories
 * and symbolic links, with their permissions. Blocks are shared where the file system can
 * (reflink), so that a copy costs nothing there; else it costs what the files take, not their size.
 * Sockets, FIFOs and devices are bound to processes and left out. A file with two names becomes two
 * files.
 */
public final class DirectoryCopy {
  private static final int OWNER_ALL = 0700;

  private DirectoryCopy() {}

  /**
   * Copies everything below {@code source} into {@code target}, which is created if it is missing
   * and must be empty otherwise.
   *
   * @throws OutOfSpaceException if the target's file system is full; what was copied so far stays
   * @throws IOException if a file cannot be read or written
   */
  public static void copy(Path source, Path target) throws IOException {
    Files.createDirectories(target);
    requireEmpty(target);
    Map<Path, FileStatus> entries = DirectoryTree.list(source);
    try {
      for (Map.Entry<Path, FileStatus> entry : entries.entrySet()) {
        copyEntry(source, target, entry.getKey(), entry.getValue());
      }
    } catch (OutOfSpaceException full) {
      throw OutOfSpaceException.at(full.path(), allocatedBytes(entries));
    }
    setDirectoryPermissions(target, entries);
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
      throw new IOException(target + " is not empty; a copy needs a directory of its own");
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
      case LINK ->
          SystemErrors.checked(
              Posix.link(SystemErrors.bytes(Files.readSymbolicLink(from)), SystemErrors.bytes(to)),
              "create",
              to);
      case SPECIAL -> {}
    }
  }

  private static void copyFile(Path from, Path to, FileStatus status) throws IOException {
    try (SparseFile source = SparseFile.openForReading(from);
        SparseFile target = SparseFile.create(to, status.permissions())) {
      if (!source.shareBlocksWith(target)) {
        copyExtents(source, target, source.status().size());
      }
    }
    setPermissions(to, status.permissions());
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

  /** Last, because nothing can be put into a directory that is not writable. */
  private static void setDirectoryPermissions(Path target, Map<Path, FileStatus> entries)
      throws IOException {
    for (Map.Entry<Path, FileStatus> entry : entries.entrySet()) {
      if (entry.getValue().kind() == FileStatus.Kind.DIRECTORY) {
        setPermissions(target.resolve(entry.getKey()), entry.getValue().permissions());
      }
    }
  }

  private static void setPermissions(Path path, int permissions) throws IOException {
    SystemErrors.checked(
        Posix.permissions(SystemErrors.bytes(path), permissions), "set the permissions of", path);
  }
}
