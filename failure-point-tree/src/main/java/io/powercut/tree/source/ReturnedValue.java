// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a function only computes and returns: its caller stores it. A compiler that inlines the
 * function may make the last step of that and the store one instruction, and give it the line of
 * the {@code return}. Safe for use by several threads.
 */
public final class ReturnedValue {
  private static final Pattern RETURN =
      Pattern.compile(
          "[\\s{}]*(?:else\\b[\\s{]*)?(?:if\\s*\\((?<when>.*)\\)\\s*\\{?\\s*)?return\\b(?<what>.*)",
          Pattern.DOTALL);

  private static final Pattern CHANGE =
      Pattern.compile(
          "\\s*(?<name>[a-zA-Z_]\\w*)\\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)\\s*(?<value>[^;={}]+);");

  private enum Question {
    COMPUTED,
    PASSED_ON,
    UNCHANGING
  }

  private record Line(Question question, LocalObjects.Place place, String called) {}

  private static final LoadingCache<Line, Boolean> LINES =
      CacheBuilder.newBuilder().maximumSize(10_000).build(CacheLoader.from(ReturnedValue::isValue));

  private ReturnedValue() {}

  /**
   * Whether a line does nothing but compute what its function returns, of variables: it neither
   * changes nor reads memory, and calls nothing.
   *
   * @param place a line of a function in C or C++
   */
  public static boolean isAt(LocalObjects.Place place) {
    return LINES.getUnchecked(new Line(Question.COMPUTED, place, ""));
  }

  /**
   * Whether a line returns what it makes of such a value: it calls the function that computes it,
   * and does nothing else.
   *
   * @param place a line of a function in C or C++
   * @param called the simple name of the function that it calls
   */
  public static boolean isPassedOnAt(LocalObjects.Place place, String called) {
    return LINES.getUnchecked(new Line(Question.PASSED_ON, place, called));
  }

  /**
   * Whether a line changes nothing and calls nothing, but returns something: it may read memory, as
   * a checksum does. No store can be its own.
   *
   * @param place a line of a function in C or C++
   */
  public static boolean changesNothingAt(LocalObjects.Place place) {
    return LINES.getUnchecked(new Line(Question.UNCHANGING, place, ""));
  }

  private static boolean isValue(Line line) {
    LocalObjects.Place place = line.place();
    return SourceFunctions.of(place.file(), place.function()).stream()
        .filter(one -> one.has(place.line()))
        .map(one -> onlyStatement(one, place))
        .anyMatch(
            statement ->
                switch (line.question()) {
                  case COMPUTED -> returns(statement, FunctionBody::onlyComputes);
                  case PASSED_ON -> isPassedOn(statement, line.called());
                  case UNCHANGING -> returns(statement, FunctionBody::changesNothing);
                });
  }

  private static boolean returns(String statement, Predicate<String> isAllowed) {
    Matcher returned = RETURN.matcher(statement);
    return returned.matches()
        && !returned.group("what").isBlank()
        && isAllowed.test(returned.group("what"))
        && (returned.group("when") == null || isAllowed.test(returned.group("when")));
  }

  private static boolean isPassedOn(String statement, String called) {
    Matcher call =
        Pattern.compile("(?<!\\w)" + Pattern.quote(called) + "\\s*\\(").matcher(statement);
    Matcher returned = RETURN.matcher(call.replaceAll("("));
    return call.reset().find()
        && returned.matches()
        && returned.group("when") == null
        && FunctionBody.changesNothing(returned.group("what"));
  }

  /**
   * The one on a line, or in a function of one line; empty if there are several. What such a
   * function does to copies of what it is given is a part of the computation.
   */
  private static String onlyStatement(SourceFunction function, LocalObjects.Place place) {
    String line = SourceFunctions.line(place.file(), place.line());
    if (function.first() == function.last()) {
      line = function.body().map(body -> withoutCopies(body, place)).orElse("");
    }
    int end = line.indexOf(';');
    return end < 0 || !line.substring(end + 1).matches("[\\s}]*") ? "" : line.substring(0, end);
  }

  private static String withoutCopies(FunctionBody body, LocalObjects.Place place) {
    String text = body.text();
    String line = SourceFunctions.line(place.file(), place.line());
    String head = line.substring(0, Math.max(0, line.indexOf('{')));
    Matcher change = CHANGE.matcher(text);
    while (change.lookingAt() && isOfCopy(change, body, head)) {
      text = text.substring(change.end());
      change = CHANGE.matcher(text);
    }
    return text;
  }

  private static boolean isOfCopy(Matcher change, FunctionBody body, String head) {
    String name = change.group("name");
    boolean isByValue = head.matches(".*[\\w>]\\s+" + name + "\\s*[,)].*");
    return isByValue
        && body.parameters().contains(name)
        && FunctionBody.onlyComputes(change.group("value"));
  }
}
