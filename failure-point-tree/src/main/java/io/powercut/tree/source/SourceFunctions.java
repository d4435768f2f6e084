// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static java.util.Objects.requireNonNullElse;

import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.powercut.tree.language.SourceText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the functions of a name in a source file of C, C++, D, Rust or Go. Safe for use by several
 * threads.
 */
public final class SourceFunctions {
  private static final int MOST_FUNCTIONS = 4096;
  private static final int LONGEST_PARAMETERS = 1000;
  private static final int LONGEST_BODY = 2000;
  private static final int LONGEST_FUNCTION = 100_000;

  private static final String IN_BRACKETS =
      "\\((?:[^()]++|\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\))*+\\)";

  /** Of what a function does not do, and how it is compiled; macros may say it. */
  private static final String ANNOTATION =
      "(?:(?:const|volatile|override|final|mutable)\\b"
          + "|(?:noexcept|throw|requires|__\\w+|[A-Z][A-Z0-9_]*+)\\b(?:\\s*%1$s)?"
          + "|\\[\\[[^\\]]*+\\]\\]|&&?)\\s*";

  /** Types of parameters, as in C before it was a standard. */
  private static final String DECLARATION =
      "(?:(?:[a-z]\\w*+[\\s*]++){1,8}+[\\w\\s*,\\[\\]]*+;\\s*)";

  /** The type that a function returns, behind its parameters, and what Rust says of its types. */
  private static final String RETURNED =
      "(?:->\\s*(?:[\\w\\s:<>&*,'+()]|\\[[^\\[\\]{}]*+\\])+)?(?:\\bwhere\\b[^{};]*)?";

  /** What may be between parameters and body. */
  private static final Pattern BODY =
      Pattern.compile(
          "\\s*(?:%2$s){0,12}+%5$s(?:%2$s){0,12}+%3$s{0,12}+(?<initialisers>%4$s)?+\\{"
              .formatted(
                  IN_BRACKETS,
                  ANNOTATION.formatted(IN_BRACKETS),
                  DECLARATION,
                  Initialisers.PATTERN,
                  RETURNED));

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

  /** A parameter that is a pointer to a function. */
  private static final Pattern FUNCTION_POINTER =
      Pattern.compile("\\(\\s*[*^&]\\s*(?:const\\s+)?(\\w+)\\s*\\)\\s*\\(");

  /** Behind a parameter in C++. */
  private static final Pattern DEFAULT = Pattern.compile("=.*", Pattern.DOTALL);

  private static final Pattern COMMENT_OR_TEXT =
      Pattern.compile(
          "//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])'",
          Pattern.DOTALL);

  /** Without comments and texts, and with names of ASCII only. */
  private static final LoadingCache<String, String> SOURCES =
      CacheBuilder.newBuilder()
          .maximumWeight(16 << 20)
          .<String, String>weigher((file, text) -> text.length() + 1)
          .build(CacheLoader.from(SourceFunctions::read));

  /** Of the sources, where macros stand for something. */
  private static final LoadingCache<String, List<MacroCall>> MACROS =
      CacheBuilder.newBuilder()
          .maximumWeight(16 << 20)
          .<String, List<MacroCall>>weigher(
              (file, calls) -> 1 + calls.stream().mapToInt(one -> one.text().length()).sum())
          .build(CacheLoader.from(SourceFunctions::macros));

  /** Operators are written with or without a space. */
  private static final String NAME = "\\w+|operator\\W{1,3}";

  /** What calls an object: lambdas are such. */
  private static final String CALLED = "operator()";

  private static final String LAMBDA = "(?<![\\w\\])\\[])\\[[^\\[\\]]*+\\](?:\\s*<[^<>]*+>)?";

  private static final Pattern GIVEN_NOTHING = Pattern.compile(LAMBDA + "\\s*(?:mutable\\s*)?\\{");

  /** The same, and destructors. */
  private static final String DEFINED = "~?\\w+|operator\\W{1,3}";

  /** Of a template or of a generic function, behind its name. */
  private static final String TYPES = "(?:\\s*<(?:[^<>(){};]++|<[^<>(){};]*+>)*+>)?";

  /** Of macros, as they are mostly written. */
  private static final String NAME_OF_MACRO = "\\b[A-Z][A-Z0-9_]*\\b";

  /** All functions of a name in a file. */
  private record Named(String file, String name) {}

  private static final LoadingCache<Named, List<SourceFunction>> FOUND =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_FUNCTIONS)
          .build(CacheLoader.from(SourceFunctions::find));

  /** Where all functions of a name are in a file. */
  private static final LoadingCache<Named, List<SourceFunction>> EXTENTS =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_FUNCTIONS)
          .build(CacheLoader.from(SourceFunctions::extents));

  /** A line of which is asked whether it is in a function. */
  private record Line(String file, String scope, String name, int line) {}

  private static final LoadingCache<Line, Boolean> LINES =
      CacheBuilder.newBuilder()
          .maximumSize(MOST_FUNCTIONS)
          .build(CacheLoader.from(SourceFunctions::isThere));

  private SourceFunctions() {}

  /**
   * Whether a line is in the definition of a function in C or C++.
   *
   * @param file where it is; a file that is not there has no functions
   * @param scope the innermost class or namespace that it is in, which has to be mentioned in the
   *     file; empty for none
   * @param name its simple name
   * @param line from 1
   */
  public static boolean haveLine(String file, String scope, String name, int line) {
    return !file.isEmpty()
        && LINES.getUnchecked(new Line(file, AsciiNames.in(scope), AsciiNames.in(name), line));
  }

  /** A line of a file without comments and texts; empty if it has none of that number. */
  static String line(String file, int line) {
    return Splitter.on('\n')
        .splitToStream(file.isEmpty() ? "" : SOURCES.getUnchecked(file))
        .skip(Math.max(0, line - 1))
        .findFirst()
        .orElse("");
  }

  /** Whether something is in a file, beside comments and texts. */
  static boolean contain(String file, Pattern what) {
    return what.matcher(SOURCES.getUnchecked(file)).find();
  }

  /**
   * What the functions of a name with a certain line have up to it, without comments and texts;
   * empty without such a function.
   *
   * @param name its simple name
   */
  static String before(String file, String name, int line) {
    if (file.isEmpty() || !name.matches(NAME)) {
      return "";
    }
    return EXTENTS.getUnchecked(new Named(file, name)).stream()
        .filter(one -> one.has(line))
        .map(
            one ->
                Splitter.on('\n')
                    .splitToStream(SOURCES.getUnchecked(file))
                    .skip(one.first() - 1L)
                    .limit(line - one.first() + 1L)
                    .collect(Collectors.joining("\n")))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isThere(Line asked) {
    return asked.name().matches(NAME)
        && EXTENTS.getUnchecked(new Named(asked.file(), asked.name())).stream()
            .anyMatch(one -> one.has(asked.line()))
        && Pattern.compile("\\b" + Pattern.quote(asked.scope()) + "\\b")
            .matcher(SOURCES.getUnchecked(asked.file()))
            .find();
  }

  /**
   * The lines of all definitions of a name in a file.
   *
   * @param file where they are; a file that is not there has no functions
   * @param name their simple name
   * @return from 1
   */
  public static BitSet linesOf(String file, String name) {
    BitSet lines = new BitSet();
    String own = AsciiNames.in(withoutModule(file, name));
    if (!file.isEmpty() && own.matches(DEFINED)) {
      EXTENTS
          .getUnchecked(new Named(file, own))
          .forEach(one -> lines.set(one.first(), one.last() + 1));
    }
    return lines;
  }

  /**
   * The functions of a name.
   *
   * @param file nothing is in one that is not there
   * @param name without its scope, but for Go and D
   */
  static List<SourceFunction> of(String file, String name) {
    String own = AsciiNames.in(withoutModule(file, name));
    return file.isEmpty() || !own.matches(DEFINED)
        ? List.of()
        : FOUND.getUnchecked(new Named(file, own));
  }

  /**
   * The function in C or C++ that has a line, and that a macro gives its name.
   *
   * @param line from 1
   */
  static Optional<SourceFunction> around(String file, int line) {
    return file.isEmpty()
        ? Optional.empty()
        : FOUND.getUnchecked(new Named(file, NAME_OF_MACRO)).stream()
            .filter(one -> one.has(line))
            .findFirst();
  }

  /** In Go and D, the module of a function and the type of a method are parts of its name. */
  private static String withoutModule(String file, String name) {
    return isGo(file) || file.endsWith(".d") ? name.substring(name.lastIndexOf('.') + 1) : name;
  }

  private static boolean isGo(String file) {
    return file.endsWith(".go");
  }

  private static List<SourceFunction> find(Named function) {
    List<SourceFunction> found = find(function, SOURCES.getUnchecked(function.file()));
    return found.isEmpty() && function.name().matches("\\w+") ? madeByMacros(function) : found;
  }

  /** The functions that are nowhere written, but are what macros stand for. */
  private static List<SourceFunction> madeByMacros(Named function) {
    List<SourceFunction> found = new ArrayList<>();
    for (MacroCall call : MACROS.getUnchecked(function.file())) {
      if (call.text().contains(function.name())) {
        for (SourceFunction one : find(function, call.text())) {
          found.add(new SourceFunction(one.body(), call.first(), call.last()));
        }
      }
    }
    return found;
  }

  private static List<MacroCall> macros(String file) {
    return MacroCall.in(
        SOURCES.getUnchecked(file), Includes.of(file).stream().map(SOURCES::getUnchecked).toList());
  }

  private static List<SourceFunction> find(Named function, String text) {
    boolean isGo = isGo(function.file());
    Matcher calls =
        Pattern.compile(
                before(function.file())
                    + written(function.name())
                    + types(function.file())
                    + "\\s*\\(")
            .matcher(text);
    List<SourceFunction> found = new ArrayList<>();
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
        found.add(new SourceFunction(Optional.empty(), line, line));
        continue;
      }
      found.add(
          new SourceFunction(
              Optional.of(
                  body(
                      function,
                      isGo ? "" : requireNonNullElse(body.group("initialisers"), ""),
                      text.substring(body.end(), bodyEnd - 1),
                      text.substring(calls.end(), parameters - 1))),
              line,
              line + lines(text, calls.start(), bodyEnd)));
    }
    if (function.name().equals(CALLED)) {
      found.addAll(withoutParameters(text));
    }
    return found;
  }

  /** Types of a generic function stand behind its name in some languages. */
  private static String types(String file) {
    return file.endsWith(".rs") ? TYPES : isGo(file) ? "(?:\\[[^\\]]*\\])?" : "";
  }

  /** What the name of a function looks like where it is defined: a lambda has none. */
  private static String written(String name) {
    return name.equals(CALLED) ? "(?:" + quoted(name) + "|" + LAMBDA + ")" : quoted(name);
  }

  /** Lambdas that are given nothing, so they store nothing that they are given. */
  private static List<SourceFunction> withoutParameters(String text) {
    List<SourceFunction> found = new ArrayList<>();
    Matcher lambdas = GIVEN_NOTHING.matcher(text);
    while (lambdas.find()) {
      int end = end(text, lambdas.end() - 1, '{', '}', LONGEST_FUNCTION);
      int first = 1 + lines(text, 0, lambdas.start());
      int last = first + lines(text, lambdas.start(), end < 0 ? lambdas.end() : end);
      found.add(new SourceFunction(Optional.empty(), first, last));
    }
    return found;
  }

  /** What comes before the name of a function where a condition may look like its definition. */
  private static String before(String file) {
    if (file.endsWith(".rs")) {
      return "(?<=\\bfn\\s)";
    }
    return isGo(file) ? "(?<=\\bfunc |\\) )" : "(?<![\\w.])";
  }

  private static String quoted(String name) {
    return name.equals(NAME_OF_MACRO) || name.matches("\\w+")
        ? name
        : Pattern.quote(name).replace("operator", "operator\\E\\s*\\Q");
  }

  private static boolean hasConditionsInBrackets(String file) {
    return !file.endsWith(".rs") && !isGo(file);
  }

  private static List<SourceFunction> extents(Named function) {
    String text = SOURCES.getUnchecked(function.file());
    String before = hasConditionsInBrackets(function.file()) ? "(?<!\\w)" : before(function.file());
    Matcher calls =
        Pattern.compile(before + quoted(function.name()) + TYPES + "\\s*\\(").matcher(text);
    List<SourceFunction> found = new ArrayList<>();
    while (calls.find()) {
      int parameters = end(text, calls.end() - 1, '(', ')', LONGEST_PARAMETERS);
      int body = parameters < 0 ? -1 : bodyAfter(text, parameters);
      if (body >= 0) {
        int bodyEnd = end(text, body, '{', '}', LONGEST_FUNCTION);
        int first = 1 + lines(text, 0, calls.start());
        int last = first + lines(text, calls.start(), bodyEnd < 0 ? body : bodyEnd);
        found.add(new SourceFunction(Optional.empty(), first, last));
      }
    }
    return found;
  }

  /**
   * Where the body of a function begins, after macros, what it throws, and the initialisers of a
   * constructor; negative if it is only called or declared there.
   */
  private static int bodyAfter(String text, int parameters) {
    int depth = 0;
    for (int at = parameters; at < Math.min(text.length(), parameters + LONGEST_BODY); at++) {
      char here = text.charAt(at);
      if (here == '{' && depth == 0) {
        return at;
      }
      depth += here == '(' ? 1 : here == ')' ? -1 : 0;
      if (depth < 0 || here == ';' || here == '}') {
        return -1;
      }
    }
    return -1;
  }

  /** In Go, statements end where their lines do. */
  private static FunctionBody body(
      Named function, String initialisers, String text, String parameters) {
    boolean isGo = isGo(function.file());
    Set<String> names = names(parameters, isGo);
    Initialisers before = Initialisers.in(initialisers);
    return new FunctionBody(
        IdleStatements.removedFrom(
            isGo ? text.strip().replace('\n', ';') : before.asStatements() + text),
        names,
        function.file().endsWith(".c"),
        text.isBlank() && before.onlyStore(names));
  }

  /** How many ends of lines there are between two places. */
  private static int lines(String text, int from, int to) {
    return (int) text.substring(from, to).chars().filter(one -> one == '\n').count();
  }

  /** Names of parameters. */
  private static Set<String> names(String parameters, boolean isGo) {
    Set<String> names =
        FUNCTION_POINTER
            .matcher(parameters)
            .results()
            .map(one -> one.group(1))
            .collect(Collectors.toCollection(HashSet::new));
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

  private static String read(String file) {
    return AsciiNames.in(
        COMMENT_OR_TEXT
            .matcher(SourceText.of(file))
            .replaceAll(one -> " " + "\n".repeat(lines(one.group(), 0, one.group().length()))));
  }
}
