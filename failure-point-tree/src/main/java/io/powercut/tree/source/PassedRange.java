// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Calls whose last argument, a size, may be what the function itself was given. */
public final class PassedRange {
  /** No value, whatever is in it. */
  private static final Pattern SIZE_OF_TYPE =
      Pattern.compile("\\bsizeof\\b\\s*(?:\\([^()]*+\\)|[*\\s]*\\w+(?:(?:->|\\.)\\w+)*)");

  /** A variable that is neither a pointer whose target is meant, nor a constant or a function. */
  private static final Pattern VARIABLE =
      Pattern.compile("(?<![\\w.>])(?=[a-z_])\\w++(?!\\s*(?:->|\\.|\\[|\\())");

  private static final Pattern CALL =
      Pattern.compile(
          "\\b(?!(?:if|for|while|switch|return)\\b)\\w+\\s*\\((?<arguments>.*)\\)[^()]*");

  private PassedRange() {}

  /**
   * Whether it may be so at a line: it is, as far as is known, if that has no call, or not the
   * whole of one.
   *
   * @param file where it is, which need not be there
   * @param line from 1
   */
  public static boolean mayBeAt(String file, int line) {
    return mayBe(SourceFunctions.line(file, line));
  }

  static boolean mayBe(String statement) {
    Matcher call = CALL.matcher(statement);
    if (!call.find()) {
      return true;
    }
    List<String> arguments = PersistingBody.parts(call.group("arguments"));
    String size = SIZE_OF_TYPE.matcher(arguments.get(arguments.size() - 1)).replaceAll("1");
    return arguments.size() < 2 || VARIABLE.matcher(size).find();
  }
}
