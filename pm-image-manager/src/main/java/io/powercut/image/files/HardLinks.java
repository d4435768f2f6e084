// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.files;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which names below a directory are names of one file. */
public final class HardLinks {
  private static final SortedSet<Path> NONE = Collections.unmodifiableSortedSet(new TreeSet<>());

  private record Inode(long device, long number) {}

  private final Map<Path, SortedSet<Path>> names = new HashMap<>();

  private HardLinks() {}

  /** Those of a listing; costs nothing where each file has one name. */
  public static HardLinks in(Map<Path, FileStatus> entries) {
    HardLinks links = new HardLinks();
    Map<Inode, SortedSet<Path>> files = new HashMap<>();
    entries.forEach(
        (name, status) -> {
          if (status.links() > 1 && status.kind() == FileStatus.Kind.FILE) {
            SortedSet<Path> all =
                files.computeIfAbsent(
                    new Inode(status.device(), status.inode()), inode -> new TreeSet<>());
            all.add(name);
            links.names.put(name, all);
          }
        });
    links.names.values().removeIf(all -> all.size() == 1);
    return links;
  }

  /** All names of the file that has one, below the directory; none when it is the only one. */
  public SortedSet<Path> of(Path name) {
    return names.getOrDefault(name, NONE);
  }
}
