// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stores of a function's body, whose name may sound like that of a helper: whether one goes
 * elsewhere than to where its callers say, such as to a member or to an element that the function
 * chose. What only counts how often it was called is none.
 */
final class OwnStores {
  private static final Pattern WORD = Pattern.compile("\\w+");

  /** What is declared with a type, and the stars of pointers before its name. */
  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?:[A-Za-z_][\\w:]*+(?:\\s*<[^<>]*>)?\\s+){1,6}+(?<pointer>[\\s*&]*)(?<name>[A-Za-z_]\\w*+)"
              + "\\s*(?:\\[[^=]*)?(?:=(?!=)(?<value>.*))?",
          Pattern.DOTALL);

  private static final Pattern NO_DECLARATION =
      Pattern.compile("(?:return|else|goto|case|delete|throw)\\b.*", Pattern.DOTALL);

  /** A variable of the function's that is changed. */
  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?<name>\\w+)\\s*=(?!=)(?<value>.*)", Pattern.DOTALL);

  /** What reads memory, or names a part of it: that is not where callers said. */
  private static final Pattern ACCESS =
      Pattern.compile("->|\\[|[A-Za-z_)]\\w*\\s*\\.\\s*\\w|(?:^|[-+*/%<>=!~^&|?:,(])\\s*\\*");

  private static final Pattern COUNT_BY_POINTER =
      Pattern.compile(
          "(?:\\+\\+|--)?\\s*(?<to>\\w[^=]*->[^=]*?)\\s*(?:\\+\\+|--)?", Pattern.DOTALL);

  private static final Pattern COPY =
      Pattern.compile("\\bmem(?:cpy|move|set)\\s*\\(\\s*(?<to>[^,]*),", Pattern.DOTALL);

  private static final Pattern ATOMIC_STORE =
      Pattern.compile("(?<to>\\w+(?:->|\\.)[^=()]*?)(?:->|\\.)\\s*store\\s*\\(.*", Pattern.DOTALL);

  private static final Pattern MEMBER_OF_VARIABLE = Pattern.compile("\\w+(?:\\s*\\.\\s*\\w+)+");

  private static final Pattern ELEMENT = Pattern.compile("\\w+\\s*\\[[^\\]]*\\]");

  private static final Pattern LAST_INDEX =
      Pattern.compile(".*\\[(?<index>[^\\[\\]]*)\\]", Pattern.DOTALL);

  /** Words of what says how often something was done. */
  private static final Set<String> OF_STATISTICS =
      Set.of("stat", "stats", "statistics", "counter", "counters", "cnt", "calls", "bytes");

  private final String text;

  /** What callers said, and what follows from that. */
  private final Set<String> told;

  /** Variables of the function's, which are no pointers. */
  private final Set<String> locals = new HashSet<>();

  /**
   * @param text between the braces, without comments and texts
   * @param parameters names of what the function is given
   */
  OwnStores(String text, Set<String> parameters) {
    this.text = text;
    this.told = new HashSet<>(parameters);
  }

  /** Whether there is such a store. */
  boolean areThere() {
    String plain =
        CopyingBody.HEAD
            .matcher(PersistingBody.DIRECTIVE.matcher(text).replaceAll(" "))
            .replaceAll(" ; ");
    for (String statement :
        Splitter.onPattern("[;{}]").trimResults().omitEmptyStrings().split(plain)) {
      String simple =
          PersistingBody.ELEMENT
              .matcher(PersistingBody.CONVERSION.matcher(statement).replaceAll(" "))
              .replaceAll("$1 + ($2)")
              .strip();
      if (!isLearnt(simple) && isOwn(simple)) {
        return true;
      }
    }
    return false;
  }

  private boolean isLearnt(String statement) {
    Matcher declaration = DECLARATION.matcher(statement);
    if (declaration.matches() && !NO_DECLARATION.matcher(statement).matches()) {
      learn(declaration.group("name"), declaration.group("value"));
      if (declaration.group("pointer").isBlank()) {
        locals.add(declaration.group("name"));
      }
      return true;
    }
    Matcher assignment = ASSIGNMENT.matcher(statement);
    if (assignment.matches()) {
      learn(assignment.group("name"), assignment.group("value"));
      return true;
    }
    return false;
  }

  private void learn(String name, @Nullable String value) {
    if (value != null && !ACCESS.matcher(value.strip()).find() && mentionsTold(value)) {
      told.add(name);
    }
  }

  private boolean mentionsTold(String expression) {
    return Splitter.on(FunctionBody.NO_WORD).splitToStream(expression).anyMatch(told::contains);
  }

  private boolean isOwn(String statement) {
    Matcher count = COUNT_BY_POINTER.matcher(statement);
    boolean isCount = FunctionBody.changesMemory(statement) && count.matches();
    if (isCount) {
      return isOwnPlace(count.group("to"), "");
    }
    Matcher atomic = ATOMIC_STORE.matcher(statement);
    if (atomic.matches()) {
      return isOwnPlace(atomic.group("to"), "");
    }
    Matcher copy = COPY.matcher(statement);
    if (copy.find()) {
      return copy.group("to").contains("->") && !mentionsTold(copy.group("to"));
    }
    Optional<FunctionBody.Change> change = FunctionBody.Change.in(statement);
    return FunctionBody.changesMemory(statement)
        && change.filter(one -> isOwnPlace(one.to(), one.value())).isPresent();
  }

  private boolean isOwnPlace(String to, String value) {
    Matcher first = WORD.matcher(to);
    if (to.startsWith(".") || !first.find() || locals.contains(first.group())) {
      return false;
    }
    boolean isTold = told.contains(first.group());
    if (to.startsWith("*") && !to.contains("->")) {
      return !isTold;
    }
    if (ELEMENT.matcher(to).matches()) {
      // To remember in a list where it stored is no such store.
      return !isTold && !told.contains(value) && !isStatistic(to);
    }
    Matcher index = LAST_INDEX.matcher(to);
    boolean isTheirPlace = index.matches() && mentionsTold(index.group("index"));
    boolean isVariable = MEMBER_OF_VARIABLE.matcher(to).matches() && !isTold && !isObject(to);
    return !isTheirPlace && !isVariable && !isStatistic(to);
  }

  private static boolean isObject(String to) {
    return to.startsWith("self.") || to.startsWith("this.");
  }

  private static boolean isStatistic(String to) {
    List<String> words = WordsOfDeeds.words(to);
    return words.stream().anyMatch(OF_STATISTICS::contains)
        || PersistingBody.isSetting(
            to.substring(Math.max(to.lastIndexOf('.'), to.lastIndexOf('>')) + 1));
  }
}
