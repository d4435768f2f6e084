// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a constructor stores before its body: {@code : key(k), next(nullptr)}. */
record Initialisers(List<Member> members) {
  private static final String IN_BRACKETS =
      "\\((?:[^()]++|\\((?:[^()]++|\\((?:[^()]++|\\([^()]*+\\))*+\\))*+\\))*+\\)|\\{[^{}]*+\\}";

  private static final String ONE =
      "\\s*(?<name>[\\w:]++(?:<[^<>]*+>)?)\\s*(?<value>" + IN_BRACKETS + ")\\s*,?";

  /** What is between a constructor's parameters and its body. */
  static final String PATTERN = ":(?!:)(?:" + ONE.replaceAll("\\?<\\w+>", "?:") + ")++\\s*";

  private static final Pattern EACH = Pattern.compile(ONE);

  /** Beside parameters: the member begins empty, or is moved. */
  private static final Pattern VALUE =
      Pattern.compile(
          "0|nullptr|NULL|false|std|move|forward|(?:un)?signed|int|long|char|u?int\\d+_t|size_t");

  private static final Pattern STORE = Pattern.compile("\\+\\+|--|=");

  /**
   * One member.
   *
   * @param value without its brackets
   */
  record Member(String name, String value) {}

  /** Those in a text that matches {@link #PATTERN}; none in an empty one. */
  static Initialisers in(String text) {
    List<Member> members = new ArrayList<>();
    Matcher each = EACH.matcher(text);
    int from = text.indexOf(':') + 1;
    while (each.find(from)) {
      String value = each.group("value");
      members.add(new Member(each.group("name"), value.substring(1, value.length() - 1).strip()));
      from = each.end();
    }
    return new Initialisers(members);
  }

  /** The same as statements of a body. */
  String asStatements() {
    StringBuilder statements = new StringBuilder();
    for (Member one : members) {
      statements.append(one.name()).append(" = ").append(one.value().isEmpty() ? "0" : one.value());
      statements.append("; ");
    }
    return statements.toString();
  }

  /** Whether they store nothing but what a constructor is given, and what is empty. */
  boolean onlyStore(Set<String> parameters) {
    return members.stream().anyMatch(one -> words(one).anyMatch(parameters::contains))
        && members.stream()
            .allMatch(
                one ->
                    !STORE.matcher(one.value()).find()
                        && words(one)
                            .allMatch(
                                word ->
                                    parameters.contains(word) || VALUE.matcher(word).matches()));
  }

  private static Stream<String> words(Member one) {
    return Splitter.on(FunctionBody.NO_WORD).omitEmptyStrings().splitToStream(one.value());
  }
}
