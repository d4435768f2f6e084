// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store of the same each time to where a parameter points, and to nowhere else there: a flag is
 * set, or a page zeroed. Which one is up to the callers. Where it goes to a member, the function
 * decides which of what it is given it changes.
 */
final class ConstantStore {
  private static final String CONVERSIONS = "(?:\\([^()]*\\)\\s*)*";

  private static final List<Pattern> STORES =
      List.of(
          Pattern.compile(
              "\\(?\\s*\\*\\s*"
                  + CONVERSIONS
                  + "(?<to>\\w+)\\s*\\)?\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)(?<value>.*)",
              Pattern.DOTALL),
          Pattern.compile(
              "(?<to>\\w+)\\s*\\[\\s*\\w+\\s*\\]\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)(?<value>.*)",
              Pattern.DOTALL),
          Pattern.compile(
              "\\(\\s*\\*\\s*" + CONVERSIONS + "(?<to>\\w+)\\s*\\)\\s*(?:\\+\\+|--)(?<value>)"),
          Pattern.compile(
              "(?:\\+\\+|--)\\s*\\(?\\s*\\*\\s*" + CONVERSIONS + "(?<to>\\w+)\\s*\\)?(?<value>)"),
          Pattern.compile(
              "(?:\\w+::)*(?:write(?:_volatile|_unaligned|_bytes)?|\\w*mem(?:cpy|move|set)"
                  + "|_*atomic_\\w+|__sync_\\w+|bzero|explicit_bzero)\\s*\\(\\s*"
                  + CONVERSIONS
                  + "(?<to>\\w+)\\s*,(?<value>.*)\\)",
              Pattern.DOTALL),
          Pattern.compile(
              "(?<to>\\w+)(?:->|\\.)(?:store|fetch_\\w+)\\s*\\((?<value>.*)\\)", Pattern.DOTALL));

  /** A variable whose value is known. */
  private static final Pattern LOCAL =
      Pattern.compile(
          "(?:[A-Za-z_][\\w:]*+(?:\\s|\\*)++){1,6}(?<name>[A-Za-z_]\\w*+)\\s*=(?!=)(?<value>.*)",
          Pattern.DOTALL);

  private static final Pattern VALUE =
      Pattern.compile(
          "\\d\\w*|\\w+_t|(?:un)?signed|int|long|short|char|bool|void|const|volatile|struct|sizeof"
              + "|true|false|nullptr|null|std|as|[iuf](?:8|16|32|64)|[iu]size|Ordering|Relaxed|Release"
              + "|SeqCst|memory_order_?\\w*|relaxed|release|seq_cst|_*[A-Z][A-Z0-9_]+|k[A-Z]\\w*");

  private static final Pattern CALL = Pattern.compile("(?<!\\w)(?!sizeof\\b)\\w+!?\\s*\\(");

  private static final Pattern MEMBER =
      Pattern.compile("->|\\[|[A-Za-z_]\\w*\\s*\\.\\s*\\w|\\+\\+|--");

  private static final Pattern RETURN = Pattern.compile("return(?!\\w)\\s*");

  private static final Pattern INDEX =
      Pattern.compile("\\w+\\s*\\[\\s*(?<index>\\w+)\\s*\\].*", Pattern.DOTALL);

  private final List<String> statements;
  private final Set<String> parameters;

  /** What is the same each time. */
  private final Set<String> same = new HashSet<>();

  /**
   * @param statements those of a function that has no blocks
   * @param parameters names of what it is given
   */
  ConstantStore(List<String> statements, Set<String> parameters) {
    this.statements = statements.stream().map(one -> RETURN.matcher(one).replaceFirst("")).toList();
    this.parameters = parameters;
  }

  /** The statement that makes the only such store; none if there are several, or other ones. */
  Optional<String> statement() {
    String found = "";
    for (String statement : statements) {
      Matcher local = LOCAL.matcher(statement);
      if (local.matches() && isConstant(local.group("value"))) {
        same.add(local.group("name"));
      } else if (isStore(statement)) {
        if (!found.isEmpty()) {
          return Optional.empty();
        }
        found = statement;
      }
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(found);
  }

  private boolean isStore(String statement) {
    for (Pattern store : STORES) {
      Matcher matcher = store.matcher(statement);
      if (matcher.matches() && parameters.contains(matcher.group("to"))) {
        return isConstant(matcher.group("value")) && isTold(statement);
      }
    }
    return false;
  }

  /** Whether it is the first element, or one that callers choose. */
  private boolean isTold(String statement) {
    Matcher element = INDEX.matcher(statement);
    return !element.matches()
        || element.group("index").equals("0")
        || parameters.contains(element.group("index"));
  }

  private boolean isConstant(String value) {
    return !CALL.matcher(value).find()
        && !MEMBER.matcher(value).find()
        && Splitter.on(FunctionBody.NO_WORD)
            .omitEmptyStrings()
            .splitToStream(value)
            .allMatch(
                word ->
                    VALUE.matcher(word).matches()
                        || same.contains(word)
                        || parameters.contains(word));
  }
}
