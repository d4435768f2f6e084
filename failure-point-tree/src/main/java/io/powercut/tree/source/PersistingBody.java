// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static java.util.Objects.requireNonNullElse;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The body of a function that may only persist, as {@code pmem_persist} does: it flushes the lines
 * that it is told to, and waits for that. What it calls for this may be a macro that holds the
 * assembly, perhaps in another file. So the names of what it calls have to say it.
 */
final class PersistingBody {
  static final Pattern DIRECTIVE = Pattern.compile("(?m)^[ \\t]*#(?:[^\\n]*\\\\\\n)*+[^\\n]*$");

  private static final Pattern KEYWORD =
      Pattern.compile("(?:(?:return|unsafe|while|if|else|loop|do)(?!\\w)\\s*)*+");

  private static final Pattern IN_BRACKETS =
      Pattern.compile("(?s)(?:for|while|if)\\s*\\((?<inside>.*)\\)");

  private static final Pattern ASSEMBLY = Pattern.compile("_*asm_*(?!\\w).*", Pattern.DOTALL);

  /** In assembly, what its text calls an operand. */
  private static final Pattern OPERAND = Pattern.compile("\\[\\s*\\w+\\s*\\]");

  /** A conversion to a type of a pointer, or by a template. */
  static final Pattern CONVERSION =
      Pattern.compile(
          "\\((?:\\s*[A-Za-z_][\\w:]*+){1,4}\\s*\\*[\\s*]*(?:const\\s*|volatile\\s*)?\\)"
              + "|\\w+_cast\\s*<[^<>]*>|(?<!\\w)as\\s+\\*(?:const|mut)\\s+\\w+");

  /** The address of an element: that is arithmetic. */
  static final Pattern ELEMENT = Pattern.compile("&\\s*(\\w+)\\s*\\[([^\\[\\]]*)\\]");

  /** What reads memory, or names a part of it: then the function decides what is persisted. */
  private static final Pattern ACCESS =
      Pattern.compile("->|\\[|[A-Za-z_)]\\w*\\s*\\.\\s*\\w|(?:^|[-+*/%<>=!~^&|?:,(])\\s*\\*");

  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?:[A-Za-z_][\\w:]*+(?:\\s|\\*)++){1,6}(?<name>[A-Za-z_]\\w*+)\\s*(?:=(?!=)(?<value>.*))?",
          Pattern.DOTALL);

  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?<name>\\w+)\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)(?<value>.*)", Pattern.DOTALL);

  private static final Pattern ANOTHER =
      Pattern.compile("\\s*\\**\\s*(?<name>\\w+)\\s*=(?!=)(?<value>.*)", Pattern.DOTALL);

  private static final Pattern COUNT =
      Pattern.compile("(?:\\+\\+|--)\\s*(?<before>\\w+)|(?<behind>\\w+)\\s*(?:\\+\\+|--)");

  private static final Pattern CHANGE = Pattern.compile("\\+\\+|--|(?<![=!<>])=(?!=)");

  private static final Pattern CALL = Pattern.compile("(?<name>[A-Za-z_][\\w:]*+)!?\\s*\\(");

  /** A type. Before a bracket it converts; what is written like a constant is a macro there. */
  private static final String TYPE =
      "\\w+_t|(?:un)?signed|int|long|short|char|bool|void|const|volatile|struct|std"
          + "|as|[iu](?:8|16|32|64)|[iu]size";

  private static final Pattern CONVERTS = Pattern.compile(TYPE);

  /** A number, a type, or a constant. */
  private static final Pattern VALUE =
      Pattern.compile(TYPE + "|\\d\\w*|true|false|memory_order_?\\w*|[A-Z][A-Z0-9_]+|k[A-Z]\\w*");

  /** Words of what computes where lines begin, or waits as long as memory would. */
  private static final Set<String> HARMLESS =
      Set.of(
          "align",
          "aligned",
          "round",
          "tsc",
          "rdtsc",
          "rdtscp",
          "pause",
          "delay",
          "latency",
          "prefetch",
          "assert",
          "likely",
          "unlikely",
          "min",
          "max",
          "getcacheline",
          "expect");

  /** Words beside these. */
  private static final Set<String> BESIDE =
      Set.of(
          "emulate", "read", "get", "ns", "us", "up", "down", "static", "builtin", "cycles", "size",
          "spin");

  /** Words of variables that say how to persist, or how often it was done. */
  private static final Set<String> OF_SETTINGS =
      Set.of(
          "cache",
          "line",
          "cacheline",
          "size",
          "align",
          "alignment",
          "mask",
          "latency",
          "write",
          "ns",
          "cycles",
          "freq",
          "mhz",
          "cpu",
          "use",
          "has",
          "have",
          "support",
          "supports",
          "supported",
          "available",
          "enabled",
          "count",
          "counter",
          "cnt",
          "num",
          "total",
          "n",
          "in");

  private static final Set<String> SAYS_SETTING =
      Set.of("cacheline", "cache", "latency", "mhz", "cpu");

  private static final Pattern LOOP = Pattern.compile("(?<!\\w)(?:for|while|do|loop)(?!\\w)");

  /** What macros are enclosed by: it runs once. */
  private static final Pattern ONCE =
      Pattern.compile("(?<!\\w)do\\s*(?=\\{)|(?<!\\w)while\\s*\\(\\s*0\\s*\\)");

  /** Before what is done in place of something else. */
  private static final Pattern OTHERWISE = Pattern.compile("(?<!\\w)(?:else|elif)(?!\\w)");

  private static final Pattern WORD = Pattern.compile("\\w");

  /** Around what is passed on as it was given. */
  private static final Pattern FORWARD = Pattern.compile("(?:std::)?(?:forward|move)\\s*<[^<>]*>");

  private final String text;

  /** What it may call, as a function that it was given. */
  private final Set<String> given;

  private final Predicate<String> persists;

  /** What the function knows, and of that, what its callers told it or follows from it. */
  private final Set<String> known;

  private final Set<String> told;

  /** What the function changes, as a loop does that goes from line to line. */
  private final Set<String> changed = new HashSet<>();

  /** What it has persisted. */
  private final List<String> persisted = new ArrayList<>();

  private boolean hasDeed;

  /**
   * @param text between the braces, without comments and texts
   * @param parameters names of what the function is given
   * @param persists whether another function of that name only persists
   */
  PersistingBody(String text, Set<String> parameters, Predicate<String> persists) {
    this.text = FORWARD.matcher(text).replaceAll("");
    this.given = Set.copyOf(parameters);
    this.persists = persists;
    this.known = new HashSet<>(parameters);
    this.told = new HashSet<>(parameters);
  }

  /**
   * Whether it persists or orders, and does nothing else: it stores nothing, and its callers say
   * what is persisted. It may run what they give it.
   */
  boolean onlyPersists() {
    String plain =
        CopyingBody.HEAD
            .matcher(DIRECTIVE.matcher(text).replaceAll(" "))
            .replaceAll(head -> Matcher.quoteReplacement(";" + inside(head.group()) + ";"));
    for (String statement :
        Splitter.onPattern("[;{}]").trimResults().omitEmptyStrings().split(plain)) {
      if (!isHarmless(KEYWORD.matcher(statement).replaceFirst(""))) {
        return false;
      }
    }
    return hasDeed && persistsEachOnce();
  }

  /** One that persists the same again and again makes that mistake itself. */
  private boolean persistsEachOnce() {
    return LOOP.matcher(ONCE.matcher(text).replaceAll(" ")).find()
        ? persisted.stream().allMatch(one -> mentions(one, changed))
        : OTHERWISE.matcher(text).find() || new HashSet<>(persisted).size() == persisted.size();
  }

  private static String inside(String head) {
    Matcher brackets = IN_BRACKETS.matcher(head);
    return brackets.matches() ? brackets.group("inside") : head.startsWith("for") ? "for" : "";
  }

  private boolean isHarmless(String statement) {
    if (ASSEMBLY.matcher(statement).matches()) {
      return isToldAssembly(
          OPERAND.matcher(statement).replaceAll(" ").replaceAll("_*asm_*|_*volatile_*", " "));
    }
    String plain =
        ELEMENT
            .matcher(CONVERSION.matcher(statement).replaceAll(" "))
            .replaceAll("$1 + ($2)")
            .strip();
    boolean isDeclared = false;
    for (String part : parts(plain)) {
      Matcher declaration = DECLARATION.matcher(part);
      Matcher another = ANOTHER.matcher(part);
      if (!part.startsWith("static") && declaration.matches()) {
        isDeclared = true;
      } else if (isDeclared && another.matches()) {
        declaration = another;
      } else if (!isHarmlessExpression(part)) {
        return false;
      } else {
        continue;
      }
      String value = declaration.group("value");
      if (value != null && !isPure(value)) {
        return false;
      }
      learn(declaration.group("name"), value == null ? "" : value);
    }
    return true;
  }

  private boolean isToldAssembly(String operands) {
    hasDeed = true;
    boolean hasOperands = WORD.matcher(operands).find();
    if (hasOperands) {
      persisted.add(operands);
    }
    return !hasOperands || (isTold(operands) && areKnown(operands));
  }

  private void learn(String name, String value) {
    known.add(name);
    if (isTold(value)) {
      told.add(name);
    }
  }

  private boolean isHarmlessExpression(String part) {
    Matcher assignment = ASSIGNMENT.matcher(part);
    if (assignment.matches()) {
      boolean isOwn = isOwn(assignment.group("name")) && isPure(assignment.group("value"));
      if (isOwn) {
        changed.add(assignment.group("name"));
        learn(assignment.group("name"), assignment.group("value"));
      }
      return isOwn;
    }
    Matcher count = COUNT.matcher(part);
    if (count.matches()) {
      String name = requireNonNullElse(count.group("before"), count.group("behind"));
      changed.add(name);
      return isOwn(name);
    }
    return isPure(part);
  }

  /** Whether what is changed is the function's own, or counts how often it persists. */
  private boolean isOwn(String name) {
    return known.contains(name) || isSetting(name);
  }

  private boolean isPure(String expression) {
    return !ACCESS.matcher(expression).find()
        && !CHANGE.matcher(expression).find()
        && areCallsHarmless(expression)
        && areKnown(CALL.matcher(expression).replaceAll(" ("));
  }

  private boolean areCallsHarmless(String expression) {
    Matcher call = CALL.matcher(expression);
    while (call.find()) {
      String name = call.group("name");
      String simple = name.substring(name.lastIndexOf(':') + 1);
      if (WordsOfDeeds.persist(simple) || persists.test(simple)) {
        hasDeed = true;
        String first = parts(expression.substring(call.end())).get(0);
        boolean isPlace = !first.startsWith(")") && !WordsOfDeeds.order(simple);
        if (isPlace && !isTold(first)) {
          return false;
        }
        if (isPlace) {
          persisted.add(first);
        }
      } else if (!given.contains(simple)
          && !CONVERTS.matcher(simple).matches()
          && !isHarmlessCall(simple)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHarmlessCall(String name) {
    List<String> words = WordsOfDeeds.words(name);
    return words.stream().anyMatch(HARMLESS::contains)
        && words.stream()
            .allMatch(
                word ->
                    HARMLESS.contains(word)
                        || BESIDE.contains(word)
                        || WordsOfDeeds.isNeutral(word));
  }

  private boolean areKnown(String expression) {
    return Splitter.on(FunctionBody.NO_WORD)
        .omitEmptyStrings()
        .splitToStream(expression)
        .allMatch(word -> known.contains(word) || VALUE.matcher(word).matches() || isSetting(word));
  }

  private boolean isTold(String expression) {
    return mentions(expression, told);
  }

  private static boolean mentions(String expression, Set<String> names) {
    return Splitter.on(FunctionBody.NO_WORD).splitToStream(expression).anyMatch(names::contains);
  }

  /** Whether a variable says how to persist, or how often it was done. */
  static boolean isSetting(String name) {
    List<String> words = WordsOfDeeds.words(name);
    return words.size() > 1
        && words.stream()
            .anyMatch(word -> SAYS_SETTING.contains(word) || WordsOfDeeds.persist(word))
        && words.stream()
            .allMatch(word -> OF_SETTINGS.contains(word) || WordsOfDeeds.persist(word));
  }

  /** What commas separate outside of brackets. */
  static List<String> parts(String statement) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int at = 0; at < statement.length() && depth >= 0; at++) {
      char here = statement.charAt(at);
      depth += here == '(' ? 1 : here == ')' ? -1 : 0;
      if (here == ',' && depth == 0) {
        parts.add(statement.substring(begin, at).strip());
        begin = at + 1;
      }
    }
    parts.add(statement.substring(begin).strip());
    return parts;
  }
}
