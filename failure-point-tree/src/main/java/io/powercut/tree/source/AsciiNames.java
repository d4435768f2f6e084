// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names that hold letters of other languages, written so that a pattern takes them for names. */
final class AsciiNames {
  private static final Pattern OTHER = Pattern.compile("[^\\p{ASCII}]");

  private AsciiNames() {}

  /**
   * A text in which each such letter is its number, {@code u00df} or {@code U00D6}. Lines stay as
   * they are.
   */
  static String in(String text) {
    return OTHER.matcher(text).replaceAll(found -> number(found.group().codePointAt(0)));
  }

  private static String number(int letter) {
    if (!Character.isUnicodeIdentifierPart(letter)) {
      return " ";
    }
    String number = "u%04x".formatted(letter);
    return Character.isUpperCase(letter) ? number.toUpperCase(Locale.ROOT) : number;
  }
}
