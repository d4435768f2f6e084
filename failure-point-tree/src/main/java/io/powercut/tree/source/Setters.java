// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Functions that do one thing for their callers: their source has a single statement, which assigns
 * what they are given or is assembly; or it stores that where they are told, and counts; or it
 * copies it in a loop; or it writes it to a file, and checks that; or it only calls such a
 * function. One that assigns the same each time is no setter: it decides itself what is stored.
 * Safe for use by several threads.
 */
public final class Setters {
  private static final int BYTES_READ = 4 << 20;

  /** Of such functions by one another. */
  private static final int MOST_CALLS = 3;

  private static final int MOST_FUNCTIONS = 4096;
  private static final int LONGEST_PARAMETERS = 1000;
  private static final int LONGEST_BODY = 2000;

  /** What may be between parameters and body. */
  private static final Pattern BODY =
      Pattern.compile(
          "\\s*(?:(?:const|volatile|noexcept|override|final|mutable)\\b\\s*)*"
              + "(?:->\\s*[\\w:<>&*, ]+)?\\s*\\{");

  /** Of one parameter: before its type as in Rust, or behind it as in C. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "\\s*(?:mut\\s+)?(?:(?<before>\\w+)\\s*:(?!:).*|.*?(?<behind>\\w+)\\s*(?:\\[.*\\]\\s*)*)",
          Pattern.DOTALL);

  /** Behind a parameter in C++. */
  private static final Pattern DEFAULT = Pattern.compile("=.*", Pattern.DOTALL);

  private static final Pattern COMMENT_OR_TEXT =
      Pattern.compile(
          "//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])'",
          Pattern.DOTALL);

  /** Without comments and texts. */
  private static final LoadingCache<String, String> SOURCES =
      CacheBuilder.newBuilder()
          .maximumWeight(16 << 20)
          .<String, String>weigher((file, text) -> text.length() + 1)
          .build(CacheLoader.from(Setters::read));

  /** All functions of a name in a file. */
  private record Named(String file, String name) {}

  private static final LoadingCache<Named, List<FunctionBody>> BODIES =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_FUNCTIONS)
          .build(CacheLoader.from(Setters::bodies));

  private Setters() {}

  /**
   * Whether all functions of this name in a source file are such.
   *
   * @param file where it is; nothing is one in a file that is not there
   * @param name its simple name
   */
  public static boolean contain(String file, String name) {
    return contain(file, name, MOST_CALLS);
  }

  private static boolean contain(String file, String name, int calls) {
    return are(
        file,
        name,
        body ->
            body.isOneAssignment()
                || body.isStoreAndBookkeeping()
                || body.isCheckedWrite()
                || body.isLoopThatCopies()
                || (calls > 0
                    && body.onlyCalls()
                        .filter(other -> contain(file, other, calls - 1))
                        .isPresent()));
  }

  /**
   * Whether all functions of this name store what they are given where they are told, once, and may
   * persist it: the order of such stores is that of the calls.
   *
   * @param file where it is, as above
   * @param name its simple name
   */
  public static boolean mayPersist(String file, String name) {
    return are(file, name, FunctionBody::isStoreAndPersist);
  }

  /**
   * Whether all functions of this name store once what they are given, where they are told or to a
   * member there, and may persist it: who calls them says more than what they do.
   *
   * @param file where it is, as above
   * @param name its simple name
   */
  public static boolean storeOnce(String file, String name) {
    return are(file, name, FunctionBody::isOneStore);
  }

  /**
   * Whether all functions of this name make one store, as far as their own statements show: none of
   * them can make two in the wrong order.
   *
   * @param file where it is, as above
   * @param name its simple name
   */
  public static boolean makeOneStore(String file, String name) {
    return are(file, name, FunctionBody::isSingleStore);
  }

  private static boolean are(String file, String name, Predicate<FunctionBody> what) {
    if (file.isEmpty() || !name.matches("\\w+")) {
      return false;
    }
    List<FunctionBody> bodies = BODIES.getUnchecked(new Named(file, name));
    return !bodies.isEmpty() && bodies.stream().allMatch(what);
  }

  /** Of all functions of a name; none if there is one that is too long. */
  private static List<FunctionBody> bodies(Named function) {
    String text = SOURCES.getUnchecked(function.file());
    Matcher calls = Pattern.compile("(?<![\\w.])" + function.name() + "\\s*\\(").matcher(text);
    List<FunctionBody> bodies = new ArrayList<>();
    while (calls.find()) {
      int parameters = end(text, calls.end() - 1, '(', ')', LONGEST_PARAMETERS);
      Matcher body = BODY.matcher(text);
      if (parameters < 0 || !body.region(parameters, text.length()).lookingAt()) {
        continue; // It is called here, or declared.
      }
      int bodyEnd = end(text, body.end() - 1, '{', '}', LONGEST_BODY);
      if (bodyEnd < 0) {
        return List.of();
      }
      bodies.add(
          new FunctionBody(
              text.substring(body.end(), bodyEnd - 1),
              names(text.substring(calls.end(), parameters - 1)),
              function.file().endsWith(".c")));
    }
    return bodies;
  }

  /** Names of parameters. */
  private static Set<String> names(String parameters) {
    Set<String> names = new HashSet<>();
    for (String parameter : Splitter.on(',').split(parameters)) {
      Matcher named = PARAMETER.matcher(DEFAULT.matcher(parameter).replaceFirst(""));
      if (named.matches()) {
        names.add(named.group("before") != null ? named.group("before") : named.group("behind"));
      }
    }
    return names;
  }

  /** Behind the bracket that closes one; negative if that is too far away. */
  private static int end(String text, int begin, char opening, char closing, int most) {
    int depth = 0;
    for (int at = begin; at < Math.min(text.length(), begin + most); at++) {
      if (text.charAt(at) == opening) {
        depth++;
      } else if (text.charAt(at) == closing && --depth == 0) {
        return at + 1;
      }
    }
    return -1;
  }

  /** The names come from the target's binary, so they can name anything: devices, pipes, disks. */
  private static String read(String file) {
    try {
      Path path = Path.of(file);
      if (!path.isAbsolute() || !Files.isRegularFile(path)) {
        return "";
      }
      try (InputStream in = Files.newInputStream(path)) {
        String text = new String(in.readNBytes(BYTES_READ), StandardCharsets.UTF_8);
        return COMMENT_OR_TEXT.matcher(text).replaceAll(" ");
      }
    } catch (IOException | InvalidPathException e) {
      return "";
    }
  }
}
