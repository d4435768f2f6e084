// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import com.google.common.base.CharMatcher;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the functions of modules in a source file of OCaml, and those among them that only write
 * what they are given, to the file or the array that they are given. Indentation says what belongs
 * to a function, with the functions within it. Safe for use by several threads.
 */
public final class OcamlFunctions {
  private static final Pattern DEFINITION =
      Pattern.compile(
          " *(?:let(?:\\s+rec)?|and)\\s+(?<name>[a-z_][\\w']*)\\s+(?<parameters>[^=]*?(?:\\([^()]*\\)[^=]*?)*)"
              + "=(?<body>.*)",
          Pattern.DOTALL);

  /** A line that ends what was begun at its indentation, or goes on with it. */
  private static final Pattern GOES_ON =
      Pattern.compile("(?:end|in|with|then|else|begin|done|do|;;)\\b.*|[|)}\\];].*");

  private static final Pattern MODULE = Pattern.compile(".*\\bstruct\\s*");

  private static final Pattern PARAMETER =
      Pattern.compile("\\(\\s*(?<typed>\\w+)[^()]*\\)|[~?]?(?<name>[a-z_][\\w']*)");

  private static final Pattern LOCAL =
      Pattern.compile("\\b(?:let(?:\\s+rec)?|and|fun)\\s+(?<names>[^=>]*?)(?:=|->)");

  private static final Pattern BINDING =
      Pattern.compile("\\blet\\s+(\\w+)\\s*=(.*?)\\bin\\b", Pattern.DOTALL);

  private static final Pattern WORD =
      Pattern.compile("(?<![\\w.'])(?:[A-Z]\\w*\\.)*[a-z_][\\w']*(?:\\.[a-z_][\\w']*)*");

  /** A name with the members that follow, or anything in brackets. */
  private static final String ARGUMENT = "\\s+(?:[\\w.']+|\\((?:[^()]|\\([^()]*\\))*\\))";

  private static final Pattern WRITE =
      Pattern.compile("(?:Unix(?:Labels)?\\.)?(?:single_)?write(?:_substring|_bigarray)?");

  private static final Pattern SEEK =
      Pattern.compile("(?:Unix(?:Labels)?\\.)?(?:LargeFile\\.)?lseek");

  /** An element of an array is assigned. */
  private static final Pattern ELEMENT =
      Pattern.compile(
          "\\s*(?<array>\\w+)(?:\\.\\w+)*\\s*\\.\\s*\\{(?<place>[^{}]*)\\}\\s*<-(?<value>[^;]*)");

  private static final Pattern KEYWORD =
      Pattern.compile(
          "let|rec|in|if|then|else|begin|end|match|with|when|while|do|done|for|to|fun|function|not|true"
              + "|false|ref|and|or|mod|as|try|incr|decr|assert|raise|ignore|min|max|failwith|invalid_arg|exit");

  /** What computes lengths, converts or complains. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "(?:Bytes|String)\\.(?:length|(?:unsafe_)?(?:of|to)_string|(?:unsafe_)?of_bytes)"
              + "|(?:Bigarray\\.)?Array1\\.dim|Int(?:64|32)\\.(?:of|to)_int|Char\\.(?:chr|code)"
              + "|(?:Printf\\.)?eprintf|prerr_endline|Fun\\.id");

  private static final Pattern CHOSEN = Pattern.compile("[*\\d]|\\blsl\\b");

  /** Of a file, by its path. */
  private static final LoadingCache<String, List<Function>> FUNCTIONS =
      CacheBuilder.newBuilder()
          .maximumSize(256)
          .build(CacheLoader.from(file -> functions(SourceText.of(file))));

  /**
   * A function of a module.
   *
   * @param first its first line, from 1
   * @param last its last line
   * @param body without comments; a text in it is 0
   * @param parameters names of what it is given
   */
  public record Function(String name, int first, int last, String body, Set<String> parameters) {
    private boolean has(int line) {
      return line >= first && line <= last;
    }

    /** Whether it only writes what it is given. */
    public boolean isWriteOfGiven(Predicate<String> others) {
      Matcher element = ELEMENT.matcher(body);
      if (element.matches()) {
        return parameters.contains(element.group("array"))
            && isGiven(element.group("place"))
            && !CHOSEN.matcher(element.group("place")).find()
            && isGiven(element.group("value"))
            && isHarmless(element.group("value"), name -> false);
      }
      List<MatchResult> writes = calls(word -> WRITE.matcher(word).matches() || others.test(word));
      return writes.size() == 1
          && !body.contains("<-")
          && isHarmless(body, word -> isOwn(word) || others.test(word))
          && isWrite(arguments(writes.get(0)))
          && calls(word -> SEEK.matcher(word).matches()).stream()
              .map(this::arguments)
              .allMatch(
                  seek ->
                      seek.size() > 1
                          && isGiven(seek.get(1))
                          && !CHOSEN.matcher(seek.get(1)).find());
    }

    private boolean isWrite(List<String> arguments) {
      return arguments.size() > 1
          && parameters.contains(base(arguments.get(0)))
          && isGiven(arguments.get(1));
    }

    private List<MatchResult> calls(Predicate<String> are) {
      return WORD.matcher(body).results().filter(word -> are.test(word.group())).toList();
    }

    private List<String> arguments(MatchResult function) {
      Matcher next = Pattern.compile("\\G" + ARGUMENT).matcher(body);
      next.region(function.end(), body.length());
      List<String> arguments = new ArrayList<>();
      while (next.find()) {
        arguments.add(next.group().strip());
      }
      return arguments;
    }

    /** Functions within it may call each other. */
    private Set<String> locals() {
      Set<String> locals = new HashSet<>();
      LOCAL.matcher(body).results().forEach(one -> locals.addAll(names(one.group(1))));
      return locals;
    }

    private boolean isOwn(String word) {
      return WRITE.matcher(word).matches() || SEEK.matcher(word).matches() || word.equals(name);
    }

    private boolean isHarmless(String text, Predicate<String> also) {
      Set<String> locals = locals();
      return WORD.matcher(text)
          .results()
          .map(MatchResult::group)
          .allMatch(
              word ->
                  KEYWORD.matcher(word).matches()
                      || HARMLESS.matcher(word).matches()
                      || locals.contains(word)
                      || parameters.contains(base(word))
                      || also.test(word));
    }

    /** Whether it is computed of a parameter; what else there is is harmless. */
    private boolean isGiven(String expression) {
      return words(expression).anyMatch(given()::contains);
    }

    private Set<String> given() {
      Set<String> given = new HashSet<>(parameters);
      BINDING
          .matcher(body)
          .results()
          .filter(binding -> words(binding.group(2)).anyMatch(given::contains))
          .forEach(binding -> given.add(binding.group(1)));
      return given;
    }

    private static Stream<String> words(String expression) {
      return WORD.matcher(expression).results().map(word -> base(word.group()));
    }

    /** The variable of a member. */
    private static String base(String word) {
      return word.replaceFirst("\\..*", "");
    }
  }

  private OcamlFunctions() {}

  /** Whether a file is in OCaml. */
  public static boolean areIn(String file) {
    return file.endsWith(".ml");
  }

  /**
   * The functions of a name, or the one that has a line: the name may be of a function within it.
   *
   * @param file nothing is in one that is not there
   * @param name without its module
   * @param line from 1; 0 if it is not known
   */
  public static List<Function> of(String file, String name, int line) {
    List<Function> all = file.isEmpty() ? List.of() : FUNCTIONS.getUnchecked(file);
    List<Function> there = all.stream().filter(one -> one.has(line)).toList();
    return there.isEmpty() ? all.stream().filter(one -> one.name().equals(name)).toList() : there;
  }

  private static List<Function> functions(String source) {
    List<String> lines = plain(source).lines().toList();
    List<Function> found = new ArrayList<>();
    for (int first = 0; first < lines.size(); first++) {
      int indent = indent(lines.get(first));
      int last = first;
      for (int next = first + 1; next < lines.size() && goesOn(lines.get(next), indent); next++) {
        last = lines.get(next).isBlank() ? last : next;
      }
      Matcher definition =
          DEFINITION.matcher(String.join("\n", lines.subList(first, last + 1)).stripTrailing());
      if (definition.matches() && isOfModule(lines.subList(0, first), indent)) {
        found.add(
            new Function(
                definition.group("name"),
                first + 1,
                last + 1,
                definition.group("body"),
                names(definition.group("parameters"))));
      }
    }
    return List.copyOf(found);
  }

  private static boolean goesOn(String line, int indent) {
    return line.isBlank()
        || indent(line) > indent
        || (indent(line) == indent && GOES_ON.matcher(line.strip()).matches());
  }

  private static boolean isOfModule(List<String> before, int indent) {
    for (int line = before.size() - 1; line >= 0; line--) {
      if (!before.get(line).isBlank() && indent(before.get(line)) < indent) {
        return MODULE.matcher(before.get(line)).matches();
      }
    }
    return true;
  }

  private static int indent(String line) {
    int begin = CharMatcher.isNot(' ').indexIn(line);
    return begin < 0 ? 0 : begin;
  }

  private static Set<String> names(String parameters) {
    Set<String> names = new HashSet<>();
    PARAMETER
        .matcher(parameters)
        .results()
        .flatMap(one -> Stream.of(one.group(1) == null ? one.group(2) : one.group(1)))
        .forEach(names::add);
    return names;
  }

  /** Without comments, which may be within one another; texts and characters are 0. */
  private static String plain(String source) {
    StringBuilder plain = new StringBuilder();
    int depth = 0;
    for (int at = 0; at < source.length(); at++) {
      char here = source.charAt(at);
      if (source.startsWith("(*", at)) {
        depth++;
        at++;
      } else if (depth > 0 && source.startsWith("*)", at)) {
        depth--;
        at++;
      } else if (source.startsWith("'\"'", at)) {
        at += 2;
        plain.append(depth == 0 ? "0" : "");
      } else if (here == '"') {
        at = endOfText(source, at);
        plain.append(depth == 0 ? "0" : "");
      } else if (depth == 0 || here == '\n') {
        plain.append(here);
      }
    }
    return plain.toString();
  }

  private static int endOfText(String source, int begin) {
    int at = begin + 1;
    while (at < source.length() && source.charAt(at) != '"') {
      at += source.charAt(at) == '\\' ? 2 : 1;
    }
    return at;
  }
}
