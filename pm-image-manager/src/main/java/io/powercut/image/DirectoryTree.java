package io.powercut.image;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What lies below a directory: names relative to it and their status, links not followed. */
final class DirectoryTree {
  private static final int OWNER_ALL = 0700;

  private DirectoryTree() {}

  /** Everything below the root but the root itself, parents before children. */
  static SortedMap<Path, FileStatus> list(Path root) throws IOException {
    SortedMap<Path, FileStatus> entries = new TreeMap<>();
    add(root, root, entries);
    return entries;
  }

  private static void add(Path root, Path directory, Map<Path, FileStatus> entries)
      throws IOException {
    for (Path child : children(directory)) {
      FileStatus status = FileStatus.ofLink(child).orElse(null);
      if (status == null) {
        continue;
      }
      entries.put(root.relativize(child), status);
      if (status.kind() == FileStatus.Kind.DIRECTORY) {
        add(root, child, entries);
      }
    }
  }

  /**
   * Removes a file or a directory with all below it, whatever permissions it has. Links are
   * removed, not followed; what is mounted below it is left alone, and so it then fails. Nothing
   * there is success.
   */
  static void delete(Path path) throws IOException {
    FileStatus status = FileStatus.ofLink(path).orElse(null);
    if (status != null) {
      delete(path, status, status.device());
    }
  }

  private static void delete(Path path, FileStatus status, long device) throws IOException {
    if (status.kind() == FileStatus.Kind.DIRECTORY) {
      if (status.device() != device) {
        throw new IOException(path + " is a mount point; it was left alone, unmount it");
      }
      if ((status.mode() & OWNER_ALL) != OWNER_ALL) {
        // As another user than root nothing in it could be removed otherwise.
        Posix.permissions(SystemErrors.bytes(path), OWNER_ALL);
      }
      for (Path child : children(path)) {
        FileStatus childStatus = FileStatus.ofLink(child).orElse(null);
        if (childStatus != null) {
          delete(child, childStatus, device);
        }
      }
    }
    Files.deleteIfExists(path);
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(children::add);
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    } catch (NoSuchFileException gone) {
      return List.of();
    }
    return children;
  }
}
