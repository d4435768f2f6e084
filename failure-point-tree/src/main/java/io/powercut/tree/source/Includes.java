// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The headers of a program's own that a source file includes, which may define its macros. */
final class Includes {
  private static final int MOST_FILES = 64;
  private static final int BYTES_READ = 1 << 20;

  private static final Pattern INCLUDE =
      Pattern.compile("(?m)^[ \\t]*#[ \\t]*include[ \\t]*\"(?<file>[^\"\\n]++)\"");

  private Includes() {}

  /**
   * Headers that are named in quotes and are where the file that includes them says, and those that
   * they include.
   *
   * @param file absolute; none are of one that is not there
   */
  static List<String> of(String file) {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> unread = new ArrayDeque<>(List.of(file));
    while (!unread.isEmpty() && found.size() < MOST_FILES) {
      String next = unread.remove();
      for (String header : directly(next)) {
        if (!header.equals(file) && found.add(header)) {
          unread.add(header);
        }
      }
    }
    return List.copyOf(found);
  }

  private static List<String> directly(String file) {
    try {
      Path path = Path.of(file);
      if (!path.isAbsolute() || !Files.isRegularFile(path)) {
        return List.of();
      }
      return INCLUDE
          .matcher(beginning(path))
          .results()
          .map(include -> path.resolveSibling(include.group(1)).normalize())
          .filter(Files::isRegularFile)
          .map(Path::toString)
          .toList();
    } catch (IOException | InvalidPathException e) {
      return List.of();
    }
  }

  private static String beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_READ), StandardCharsets.UTF_8);
    }
  }
}
