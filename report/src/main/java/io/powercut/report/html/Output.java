// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.format.Text;

/**
 * The end of what a program printed.
 *
 * @param text fit to be shown
 * @param leftOut how many characters stood before it
 */
record Output(String text, int leftOut) {
  private static final int CHARACTERS_SHOWN = 8_000;

  static Output of(String printed) {
    String text = Text.printed(printed).strip();
    int leftOut = Math.max(0, text.length() - CHARACTERS_SHOWN);
    return new Output(text.substring(leftOut), leftOut);
  }
}
