// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static java.util.Objects.requireNonNullElse;

import com.google.common.base.Splitter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The body of an operator that assigns: {@code operator=}, {@code operator+=} and the like. Most
 * make one store for their callers, perhaps with what a transaction needs around it, or copy an
 * object. Those that make several stores, repeat, or choose by what they are given have an order,
 * and mistakes, of their own.
 */
final class OperatorBody {
  private static final Pattern REPEATS =
      Pattern.compile("(?<!\\w)(?:while|for|do|switch|goto)(?!\\w)");

  private static final Pattern CONDITION =
      Pattern.compile("(?:if|while|for)\\b(?<what>.*)", Pattern.DOTALL);

  private static final Pattern LOCAL =
      Pattern.compile(
          "(?!return\\b)(?:[A-Za-z_][\\w:]*+(?:\\s|[*&])++){1,6}(?<name>[A-Za-z_]\\w*+)\\s*(?:=.*)?",
          Pattern.DOTALL);

  private static final Pattern OWN_CHANGE =
      Pattern.compile(
          "(?:this\\s*->\\s*)?(?<name>\\w+)\\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=).*|\\+\\+|--)"
              + "|(?:\\+\\+|--)\\s*(?:this\\s*->\\s*)?(?<counted>\\w+)",
          Pattern.DOTALL);

  /** Of a member, from the same member of another object. */
  private static final Pattern COPY =
      Pattern.compile(
          "(?:this\\s*->\\s*)?(?<member>\\w+)\\s*=\\s*(?<from>\\w+)\\s*\\.\\s*\\k<member>"
              + "|(?:std\\s*::\\s*)?mem(?:cpy|move)\\s*\\(\\s*(?:this\\s*->\\s*)?(?<array>\\w+)\\s*,"
              + "\\s*(?<source>\\w+)\\s*\\.\\s*\\k<array>\\s*,.*\\)",
          Pattern.DOTALL);

  private static final Pattern CALL =
      Pattern.compile("(?<!\\w)(?!(?:sizeof|return)\\b)(?<function>\\w+)\\s*\\(");

  private final FunctionBody body;
  private final Predicate<String> stores;
  private final List<String> statements;

  /**
   * @param stores whether another function of that name only stores what it is given
   */
  OperatorBody(FunctionBody body, Predicate<String> stores) {
    this.body = body;
    this.stores = stores;
    this.statements =
        Splitter.onPattern("[;{}]")
            .trimResults()
            .omitEmptyStrings()
            .splitToList(CopyingBody.HEAD.matcher(body.text()).replaceAll(";"));
  }

  /** Whether its stores are its callers'. */
  boolean isItsCallers() {
    return body.isLoopThatCopies()
        || (!REPEATS.matcher(body.text()).find() && !chooses() && storesForCaller());
  }

  /** A transaction, or the object itself, may need nothing: that is no choice. */
  private boolean chooses() {
    return CopyingBody.HEAD
        .matcher(body.text())
        .results()
        .map(head -> CONDITION.matcher(head.group()))
        .filter(Matcher::matches)
        .map(head -> head.group("what"))
        .anyMatch(what -> mentions(what, body.parameters()) && !mentions(what, Set.of("this")));
  }

  private boolean storesForCaller() {
    Set<String> locals = locals();
    List<String> all = statements.stream().filter(one -> isStore(one, locals)).distinct().toList();
    if (all.isEmpty()) {
      return statements.stream().filter(OperatorBody::callsAnother).count() <= 1;
    }
    return all.stream().allMatch(this::isCopy)
        || (all.size() == 1 && !body.storesTwice(all.get(0)));
  }

  private Set<String> locals() {
    Set<String> locals = new HashSet<>(body.parameters());
    for (String statement : statements) {
      Matcher local = LOCAL.matcher(statement);
      if (local.matches()) {
        locals.add(local.group("name"));
      }
    }
    return locals;
  }

  private boolean isStore(String statement, Set<String> locals) {
    return body.mayStore(statement)
        || changesOwn(statement, locals)
        || CALL.matcher(statement).results().anyMatch(call -> stores.test(call.group(1)));
  }

  private static boolean changesOwn(String statement, Set<String> locals) {
    Matcher change = OWN_CHANGE.matcher(statement);
    return change.matches()
        && (statement.contains("this")
            || !locals.contains(requireNonNullElse(change.group("name"), change.group("counted"))));
  }

  private boolean isCopy(String statement) {
    Matcher copy = COPY.matcher(statement);
    return copy.matches()
        && body.parameters().contains(requireNonNullElse(copy.group("from"), copy.group("source")));
  }

  private static boolean callsAnother(String statement) {
    return CALL.matcher(statement).results().anyMatch(call -> !WordsOfDeeds.persist(call.group(1)));
  }

  private static boolean mentions(String expression, Set<String> names) {
    return Splitter.on(FunctionBody.NO_WORD).splitToStream(expression).anyMatch(names::contains);
  }
}
