// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

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
import java.util.function.Consumer;

/** What lies below a directory: names relative to it and their status, links not followed. */
public final class DirectoryTree {
  /** Each level makes every name below it longer, and all of them are looked up from the root. */
  private static final int MOST_LEVELS = 64;

  private DirectoryTree() {}

  /** Everything below the root but the root itself, parents before children. */
  public static SortedMap<Path, FileStatus> list(Path root) throws IOException {
    SortedMap<Path, FileStatus> entries = new TreeMap<>();
    add(root, root, entries, Integer.MAX_VALUE, gone -> {});
    return entries;
  }

  /**
   * The same of a directory that is not in use.
   *
   * @throws IOException if something in it cannot be named in Java, since its name is no text, or
   *     directories are nested more than 64 levels deep
   */
  public static SortedMap<Path, FileStatus> listAll(Path root) throws IOException {
    SortedMap<Path, FileStatus> entries = new TreeMap<>();
    List<Path> unknown = new ArrayList<>();
    add(root, root, entries, MOST_LEVELS, unknown::add);
    if (!unknown.isEmpty()) {
      throw new IOException("the name of " + unknown.get(0) + " is not text");
    }
    return entries;
  }

  private static void add(
      Path root, Path directory, Map<Path, FileStatus> entries, int levels, Consumer<Path> unknown)
      throws IOException {
    if (levels == 0) {
      throw new IOException("too many levels of directories: " + directory);
    }
    for (Path child : children(directory)) {
      FileStatus status = FileStatus.ofLink(child).orElse(null);
      if (status == null) {
        unknown.accept(child);
        continue;
      }
      entries.put(root.relativize(child), status);
      if (status.kind() == FileStatus.Kind.DIRECTORY) {
        add(root, child, entries, levels - 1, unknown);
      }
    }
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
