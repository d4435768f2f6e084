// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import io.powercut.image.files.DirectoryTree;
import io.powercut.image.files.FileStatus;
import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each name in a directory of PM files stands for, in a few words that equal contents share.
 */
public final class ContentHashes {
  private ContentHashes() {}

  /**
   * By path in the directory: {@code file}, its size in bytes and a hash of its contents; {@code
   * directory}; or {@code link} and where it leads. Holes and zeros are the same. Sockets, FIFOs
   * and devices do not count, nor do attributes and times.
   *
   * @throws IOException if a file cannot be read
   */
  public static SortedMap<String, String> of(Path directory) throws IOException {
    SortedMap<String, String> contents = new TreeMap<>();
    for (Map.Entry<Path, FileStatus> entry : DirectoryTree.list(directory).entrySet()) {
      Path path = directory.resolve(entry.getKey());
      String name = entry.getKey().toString();
      switch (entry.getValue().kind()) {
        case FILE -> contents.put(name, file(path));
        case DIRECTORY -> contents.put(name, "directory");
        case LINK -> contents.put(name, "link " + Files.readSymbolicLink(path));
        case SPECIAL -> {}
      }
    }
    return contents;
  }

  private static String file(Path path) throws IOException {
    try (SparseFile file = SparseFile.openForReading(path)) {
      long size = file.status().size();
      PageSum pages = PageSum.of(PageScan.scan(file, size));
      return String.format(Locale.ROOT, "file %d %016x%016x", size, pages.high(), pages.low());
    }
  }
}
