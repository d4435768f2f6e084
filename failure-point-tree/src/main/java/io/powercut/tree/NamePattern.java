// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** Patterns of names, in which {@code *} stands for any text and {@code ?} for one character. */
public final class NamePattern {
  private NamePattern() {}

  /** Whether it is the name of a function. The parameters of a C++ function can be left off. */
  public static boolean ofFunction(String pattern, String function) {
    return matches(pattern, function)
        || matches(pattern, withoutVersion(withoutParameters(function)));
  }

  private static String withoutParameters(String function) {
    int parameters = function.indexOf('(', 1);
    return parameters < 0 ? function : function.substring(0, parameters);
  }

  /** Without the symbol version that {@code memcpy@@GLIBC_2.14} has. */
  private static String withoutVersion(String function) {
    int version = function.indexOf('@');
    return version < 0 ? function : function.substring(0, version);
  }

  /** Whether it stands for all of a text. */
  public static boolean matches(String pattern, String text) {
    int patternAt = 0;
    int textAt = 0;
    int star = -1;
    int afterStar = 0;
    while (textAt < text.length()) {
      char wanted = patternAt < pattern.length() ? pattern.charAt(patternAt) : '\0';
      if (wanted == '*') {
        star = patternAt++;
        afterStar = textAt;
      } else if (wanted == '?' || wanted == text.charAt(textAt)) {
        patternAt++;
        textAt++;
      } else if (star >= 0) {
        // Let the last star swallow one character more.
        patternAt = star + 1;
        textAt = ++afterStar;
      } else {
        return false;
      }
    }
    while (patternAt < pattern.length() && pattern.charAt(patternAt) == '*') {
      patternAt++;
    }
    return patternAt == pattern.length();
  }
}
