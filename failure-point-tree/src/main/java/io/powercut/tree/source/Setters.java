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
import java.util.Optional;
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

  /** The same in Go: what it returns. */
  private static final Pattern GO_BODY =
      Pattern.compile("[ \\t]*(?:[\\w.*\\[\\]]+|\\([^()]*\\))?[ \\t]*\\{");

  private static final Pattern GO_PARAMETER =
      Pattern.compile("\\s*(?<before>\\w+)\\b.*", Pattern.DOTALL);

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

  /**
   * One of them.
   *
   * @param body nothing if it is too long to be such
   * @param first its first line
   * @param last its last line
   */
  private record Found(Optional<FunctionBody> body, int first, int last) {
    boolean has(int line) {
      return line >= first && line <= last;
    }
  }

  private static final LoadingCache<Named, List<Found>> FOUND =
      CacheBuilder.newBuilder().maximumSize(MOST_FUNCTIONS).build(CacheLoader.from(Setters::find));

  private Setters() {}

  /**
   * Whether a function in a source file is such.
   *
   * @param file where it is; nothing is one in a file that is not there
   * @param name its simple name
   * @param line one of its lines, from 1; if it is not known which function of this name is there,
   *     all of them have to be such
   */
  public static boolean contain(String file, String name, int line) {
    return contain(file, name, line, MOST_CALLS);
  }

  private static boolean contain(String file, String name, int line, int calls) {
    return are(
        file,
        name,
        line,
        body ->
            body.isOneAssignment()
                || body.isStoreAndBookkeeping()
                || body.isCheckedWrite()
                || body.isLoopThatCopies()
                || (calls > 0
                    && body.onlyCalls()
                        .filter(other -> contain(file, other, 0, calls - 1))
                        .isPresent()));
  }

  /**
   * Whether a function stores what it is given where it is told, once, and may persist it: the
   * order of such stores is that of the calls.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean mayPersist(String file, String name, int line) {
    return are(file, name, line, FunctionBody::isStoreAndPersist);
  }

  /**
   * Whether a function stores once what it is given, where it is told or to a member there, and may
   * persist it: who calls it says more than what it does.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean storeOnce(String file, String name, int line) {
    return are(file, name, line, FunctionBody::isOneStore);
  }

  /**
   * Whether a function makes one store, as far as its own statements show: it cannot make two in
   * the wrong order.
   *
   * @param file where it is, as above
   * @param name its simple name
   * @param line one of its lines, as above
   */
  public static boolean makeOneStore(String file, String name, int line) {
    return are(file, name, line, FunctionBody::isSingleStore);
  }

  /** Whether a source file has several functions of one name, of different types for example. */
  public static boolean isAmbiguous(String file, String name) {
    return found(file, name).size() > 1;
  }

  private static boolean are(String file, String name, int line, Predicate<FunctionBody> what) {
    List<Found> all = found(file, name);
    List<Found> there = all.stream().filter(one -> one.has(line)).toList();
    List<Found> asked = there.isEmpty() ? all : there;
    return !asked.isEmpty() && asked.stream().allMatch(one -> one.body().filter(what).isPresent());
  }

  private static List<Found> found(String file, String name) {
    // In Go, a function's package and the type of a method are parts of its name.
    String own = isGo(file) ? name.substring(name.lastIndexOf('.') + 1) : name;
    return file.isEmpty() || !own.matches("\\w+")
        ? List.of()
        : FOUND.getUnchecked(new Named(file, own));
  }

  private static boolean isGo(String file) {
    return file.endsWith(".go");
  }

  private static List<Found> find(Named function) {
    String text = SOURCES.getUnchecked(function.file());
    boolean isGo = isGo(function.file());
    Matcher calls = Pattern.compile("(?<![\\w.])" + function.name() + "\\s*\\(").matcher(text);
    List<Found> found = new ArrayList<>();
    int counted = 0;
    int line = 1;
    while (calls.find()) {
      int parameters = end(text, calls.end() - 1, '(', ')', LONGEST_PARAMETERS);
      Matcher body = (isGo ? GO_BODY : BODY).matcher(text);
      if (parameters < 0 || !body.region(parameters, text.length()).lookingAt()) {
        continue; // It is called here, or declared.
      }
      line += lines(text, counted, calls.start());
      counted = calls.start();
      int bodyEnd = end(text, body.end() - 1, '{', '}', LONGEST_BODY);
      if (bodyEnd < 0) {
        found.add(new Found(Optional.empty(), line, line));
        continue;
      }
      found.add(
          new Found(
              Optional.of(
                  body(
                      function,
                      text.substring(body.end(), bodyEnd - 1),
                      text.substring(calls.end(), parameters - 1))),
              line,
              line + lines(text, calls.start(), bodyEnd)));
    }
    return found;
  }

  /** In Go, statements end where their lines do. */
  private static FunctionBody body(Named function, String text, String parameters) {
    boolean isGo = isGo(function.file());
    return new FunctionBody(
        isGo ? text.strip().replace('\n', ';') : text,
        names(parameters, isGo),
        function.file().endsWith(".c"));
  }

  /** How many ends of lines there are between two places. */
  private static int lines(String text, int from, int to) {
    return (int) text.substring(from, to).chars().filter(one -> one == '\n').count();
  }

  /** Names of parameters. */
  private static Set<String> names(String parameters, boolean isGo) {
    Set<String> names = new HashSet<>();
    for (String parameter : Splitter.on(',').split(parameters)) {
      Matcher named =
          isGo
              ? GO_PARAMETER.matcher(parameter)
              : PARAMETER.matcher(DEFAULT.matcher(parameter).replaceFirst(""));
      if (named.matches()) {
        String before = named.group("before");
        names.add(before != null ? before : named.group("behind"));
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
        return COMMENT_OR_TEXT
            .matcher(text)
            .replaceAll(one -> " " + "\n".repeat(lines(one.group(), 0, one.group().length())));
      }
    } catch (IOException | InvalidPathException e) {
      return "";
    }
  }
}
