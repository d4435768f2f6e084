// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statements that do nothing when a program runs as it should: they tell the compiler that a
 * variable is not used, or check what has to hold. What else a function does is all that it does.
 */
final class IdleStatements {
  /** With its end. What depends on a condition begins with that. */
  private static final Pattern STATEMENT =
      Pattern.compile("(?<=^|[;{}])\\s*+(?<what>[^;{}]++)(?:;|\\z)", Pattern.DOTALL);

  private static final Pattern UNUSED =
      Pattern.compile(
          "\\(*\\(\\s*void\\s*\\)(?<of>.*)"
              + "|(?:\\w+::)*(?:(?:[A-Z]{1,2}_)?(?:MAYBE_)?UNUSED(?:_(?:ARG|PARAM|PARAMETER|VAR|VARIABLE))?"
              + "|unused|(?:maybe|ignore)_unused|UNREFERENCED_PARAMETER)\\s*\\((?<these>.*)\\)"
              + "|(?:std::ignore|_|let\\s+_\\w*)\\s*=(?!=)(?<value>.*)",
          Pattern.DOTALL);

  private static final Pattern ASSERTION =
      Pattern.compile(
          "(?:\\w+::)*(?i:(?:[a-z]+_|_+)?(?:debug_)?assert(?:_?(?:eq|ne|lt|le|gt|ge|true|false|msg))?|dcheck)"
              + "!?\\s*\\((?<condition>.*)\\)",
          Pattern.DOTALL);

  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "\\[\\[\\s*(?:maybe_unused|gnu::unused)\\s*\\]\\]"
              + "|__attribute__\\s*\\(\\(\\s*_*unused_*\\s*\\)\\)|__(?:maybe_)?unused\\b");

  /** A variable, after its attribute. */
  private static final Pattern DECLARATION =
      Pattern.compile("[\\w:<>*&\\s]*?(?<name>\\w+)\\s*(?:=(?!=)(?<value>.*))?", Pattern.DOTALL);

  /** Which may change something. */
  private static final Pattern CHANGE =
      Pattern.compile("(?<![=!<>])=(?!=)|<<=|>>=|\\+\\+|--|(?<!\\w)_*asm_*(?!\\w)");

  /** Of which it is not known that they change nothing. */
  private static final Pattern CALL =
      Pattern.compile(
          "(?<!\\w)(?!(?:sizeof|alignof|_Alignof|offsetof|likely|unlikely|__builtin_expect|strlen"
              + "|_*(?:\\w+_)?(?:is|has|IS|HAS)_\\w+|size|length|empty|is[A-Z]\\w*|has[A-Z]\\w*)\\s*\\()"
              + "\\w+!?\\s*\\(");

  /** Asks whether a store would change anything. */
  private static final Pattern IF_CHANGED =
      Pattern.compile(
          "(?<!\\w)if\\s*+(?:\\(\\s*+)?(?<to>(?:->|[^(){};=!<>&|])+?)\\s*!=\\s*(?<value>(?:->|[^(){};=!<>&|])+?)\\s*(?:\\)\\s*)?"
              + "(?:(?<store>\\k<to>\\s*=\\s*\\k<value>\\s*;)|\\{(?<block>\\s*\\k<to>\\s*=\\s*\\k<value>\\s*;[^{}]*+)\\})"
              + "(?!\\s*else\\b)");

  /** Ends a text right behind what was copied; a character is no more than a space here. */
  private static final Pattern END_OF_TEXT =
      Pattern.compile(
          "(?<copy>(?<!\\w)(?:mem(?:cpy|move)|st[rp]n?cpy)\\s*\\(\\s*(?<to>[^(),;{}]+?)\\s*,[^;{}]*,\\s*(?<size>[^;{},]+?)\\s*\\)\\s*;)"
              + "\\s*\\k<to>\\s*\\[\\s*\\k<size>\\s*\\]\\s*=\\s*0?\\s*;");

  private IdleStatements() {}

  /**
   * What is left of the body of a function without them, without the question whether a store
   * changes anything, and without the end of a text that is copied.
   *
   * @param body without comments and texts
   */
  static String removedFrom(String body) {
    String text = body;
    for (int round = 0; round < 2; round++) {
      // Only now are asserted variables without a use.
      String checked = text;
      text =
          STATEMENT
              .matcher(checked)
              .replaceAll(
                  found ->
                      isIdle(found.group(1).strip(), checked)
                          ? " "
                          : Matcher.quoteReplacement(found.group()));
    }
    String stored =
        IF_CHANGED
            .matcher(text)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        found.group(3) == null ? found.group(4) : found.group(3)));
    return END_OF_TEXT.matcher(stored).replaceAll("${copy}");
  }

  private static boolean isIdle(String statement, String body) {
    Matcher unused = UNUSED.matcher(statement);
    if (unused.matches()) {
      return changesNothing(unused.group("of"), unused.group("these"), unused.group("value"));
    }
    Matcher assertion = ASSERTION.matcher(statement);
    if (assertion.matches()) {
      return changesNothing(assertion.group("condition"));
    }
    // Such a variable need not be used.
    Matcher attribute = ATTRIBUTE.matcher(statement);
    Matcher declaration = DECLARATION.matcher(attribute.replaceFirst("").strip());
    return attribute.reset().find()
        && declaration.matches()
        && changesNothing(declaration.group("value"))
        && words(body).stream().filter(declaration.group("name")::equals).count() == 1;
  }

  /** Whether what a function returns is only read. */
  static boolean isReturnOfValue(String statement) {
    return statement.matches("(?s)return(?!\\w).*") && changesNothing(statement);
  }

  private static boolean changesNothing(String... expressions) {
    for (String expression : expressions) {
      if (expression != null
          && (CHANGE.matcher(expression).find()
              || CALL.matcher(expression.replaceFirst("^return(?!\\w)", "")).find())) {
        return false;
      }
    }
    return true;
  }

  private static List<String> words(String text) {
    return Splitter.on(FunctionBody.NO_WORD).splitToList(text);
  }
}
