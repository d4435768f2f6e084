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
 * as {@code -I.}, {@code src/} or {@code ../include}. Safe for use by several threads.
 */
public final class SourcePaths {
  private static final int MOST_PATHS = 4096;
  private static final Pattern SLASHES = Pattern.compile("//+");
  private static final Pattern HERE = Pattern.compile("(?:/\\.)+/");
  private static final Pattern ABOVE = Pattern.compile("/\\.\\./");

  private static final LoadingCache<String, String> NORMAL =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_PATHS)
          .build(CacheLoader.from(SourcePaths::withoutDetours));

  private SourcePaths() {}

  /**
   * The path with single slashes, without {@code /./}, and without {@code x/../} unless {@code x}
   * is a link to somewhere else. Of paths that are not absolute only the slashes are changed: they
   * are of libraries that were built elsewhere, which are known by them.
   */
  public static String normal(String file) {
    boolean hasDetours =
        file.contains("//")
            || (file.startsWith("/") && (HERE.matcher(file).find() || ABOVE.matcher(file).find()));
    return hasDetours ? NORMAL.getUnchecked(file) : file;
  }

  private static String withoutDetours(String file) {
    String single = SLASHES.matcher(file).replaceAll("/");
    if (!file.startsWith("/")) {
      return single;
    }
    String plain = HERE.matcher(single).replaceAll("/");
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
