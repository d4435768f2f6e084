// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Paths of source files as debug information has them: they go by what the compiler was given, such
 * as {@code -I.} or {@code ../include}. Safe for use by several threads.
 */
public final class SourcePaths {
  private static final int MOST_PATHS = 4096;
  private static final Pattern HERE = Pattern.compile("(?:/\\.)+/");
  private static final Pattern ABOVE = Pattern.compile("/\\.\\./");

  private static final LoadingCache<String, String> NORMAL =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_PATHS)
          .build(CacheLoader.from(SourcePaths::withoutDetours));

  private SourcePaths() {}

  /**
   * The path without {@code /./}, and without {@code x/../} unless {@code x} is a link to somewhere
   * else. Only absolute paths are changed: others are of libraries that were built elsewhere.
   */
  public static String normal(String file) {
    boolean hasDetours =
        file.startsWith("/") && (HERE.matcher(file).find() || ABOVE.matcher(file).find());
    return hasDetours ? NORMAL.getUnchecked(file) : file;
  }

  private static String withoutDetours(String file) {
    String plain = HERE.matcher(file).replaceAll("/");
    if (!ABOVE.matcher(plain).find()) {
      return plain;
    }
    try {
      Path path = Path.of(plain);
      Path normal = path.normalize();
      return !Files.exists(path) || Files.isSameFile(path, normal) ? normal.toString() : plain;
    } catch (IOException | InvalidPathException e) {
      return plain; // Where the link leads to there is no such file, or the path is none.
    }
  }
}
