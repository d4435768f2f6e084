// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

/** Makes any text one that XML 1.0 can carry: a recovery may print whatever it likes. */
final class XmlText {
  private static final int REPLACEMENT = 0xFFFD;

  private XmlText() {}

  /** The text with a replacement character for each that XML 1.0 (section 2.2) does not allow. */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(point -> isAllowed(point) ? point : REPLACEMENT)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isAllowed(int point) {
    return point == '\t'
        || point == '\n'
        || point == '\r'
        || (point >= 0x20 && point <= 0xD7FF)
        || (point >= 0xE000 && point <= 0xFFFD)
        || point >= 0x10000;
  }
}
