// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

/** Lets a field hold tabs, line ends and backslashes. */
final class FieldEscapes {
  private FieldEscapes() {}

  static String escape(String text) {
    if (text.chars().noneMatch(c -> c == '\\' || c == '\t' || c == '\n' || c == '\r')) {
      return text;
    }
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  /**
   * The text that {@link #escape} was given.
   *
   * @throws IllegalArgumentException at an unknown escape
   */
  static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length());
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      if (character == '\\') {
        index++;
        result.append(meaning(index < text.length() ? text.charAt(index) : ' '));
      } else {
        result.append(character);
      }
    }
    return result.toString();
  }

  private static char meaning(char escaped) {
    return switch (escaped) {
      case '\\' -> '\\';
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      default -> throw new IllegalArgumentException("unknown escape \\" + escaped);
    };
  }
}
