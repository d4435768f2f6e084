// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a statement counts, by {@code ++} or {@code --}.
 *
 * @param of what is counted, {@code pool->used}
 * @param isCursor whether it is where the statement loads or stores, as in {@code *to++}
 */
record Count(String of, boolean isCursor) {
  private static final Pattern IN_MEMORY = Pattern.compile("->|[\\[*.]");

  private static final Pattern KEYWORD =
      Pattern.compile(".*(?<!\\w)(?:return|else|do)", Pattern.DOTALL);

  /** All in a statement. */
  static List<Count> in(String statement) {
    List<Count> counts = new ArrayList<>();
    for (int at = 0; at + 1 < statement.length(); at++) {
      if (statement.startsWith("++", at) || statement.startsWith("--", at)) {
        counts.add(at(statement, at));
        at++;
      }
    }
    return counts;
  }

  private static Count at(String statement, int operator) {
    if (isBefore(statement, operator + 2)) {
      int end = end(statement, operator + 2);
      return new Count(
          statement.substring(operator + 2, end).strip(), isDereferenced(statement, operator));
    }
    int begin = begin(statement, operator);
    return new Count(
        statement.substring(begin, operator).strip(), isDereferenced(statement, begin));
  }

  /** Whether the operator stands before what it counts: behind it, no name follows. */
  private static boolean isBefore(String statement, int behind) {
    int next = blanksAfter(statement, behind);
    return next < statement.length()
        && (isOfWord(statement.charAt(next))
            || statement.charAt(next) == '('
            || statement.charAt(behind) == '*');
  }

  private static int end(String statement, int from) {
    int at = from;
    while (at < statement.length() && "* ".indexOf(statement.charAt(at)) >= 0) {
      at++;
    }
    while (at < statement.length()) {
      char here = statement.charAt(at);
      if (here == '(' || here == '[') {
        at = bracket(statement, at, 1);
      } else if (statement.startsWith("->", at)) {
        at += 2;
      } else if (isOfWord(here) || here == '.') {
        at++;
      } else {
        break;
      }
    }
    return Math.min(at, statement.length());
  }

  /** Where it begins; what is in brackets before a name converts it. */
  private static int begin(String statement, int end) {
    int at = blanksBefore(statement, end);
    boolean takesBracket = true;
    boolean takesElement = true;
    while (at > 0) {
      char here = statement.charAt(at - 1);
      if ((here == ']' && takesElement) || (here == ')' && takesBracket)) {
        takesBracket = here == ']';
        takesElement = here == ']';
        at = bracket(statement, at - 1, -1) + 1;
      } else if (here == '.' || statement.startsWith("->", at - 2)) {
        at -= here == '.' ? 1 : 2;
        takesBracket = true;
        takesElement = true;
      } else if (isOfWord(here)) {
        at--;
        takesBracket = false;
        takesElement = false;
      } else {
        break;
      }
    }
    return at;
  }

  /** Behind the bracket that closes one; or, backwards, before the one that opens it. */
  private static int bracket(String statement, int from, int step) {
    int depth = 0;
    int at = from;
    while (at >= 0 && at < statement.length()) {
      char here = statement.charAt(at);
      depth += "([".indexOf(here) >= 0 ? 1 : ")]".indexOf(here) >= 0 ? -1 : 0;
      at += step;
      if (depth == 0) {
        break;
      }
    }
    return at;
  }

  /** Whether what begins there is a pointer whose target is meant: no product. */
  private static boolean isDereferenced(String statement, int begin) {
    int star = blanksBefore(statement, begin);
    if (star == 0 || statement.charAt(star - 1) != '*') {
      return false;
    }
    int before = blanksBefore(statement, star - 1);
    return before == 0
        || !(isOfWord(statement.charAt(before - 1))
            || ")]".indexOf(statement.charAt(before - 1)) >= 0)
        || KEYWORD.matcher(statement.substring(0, before)).matches();
  }

  private static int blanksAfter(String statement, int from) {
    int at = from;
    while (at < statement.length() && Character.isWhitespace(statement.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int blanksBefore(String statement, int end) {
    int at = end;
    while (at > 0 && Character.isWhitespace(statement.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean isOfWord(char one) {
    return Character.isLetterOrDigit(one) || one == '_';
  }

  /** Whether it is a member, an element, or what a pointer points to, and no variable. */
  boolean isOfMemory() {
    return IN_MEMORY.matcher(of).find();
  }
}
