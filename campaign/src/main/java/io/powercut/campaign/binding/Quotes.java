// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

/** How a value of the user is shown in a message: in quotes, on one line, and not at any length. */
final class Quotes {
  private static final int LONGEST = 80;

  private Quotes() {}

  static String quote(String text) {
    return "'" + shorten(text) + "'";
  }

  static String shorten(String text) {
    String line = text.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}
