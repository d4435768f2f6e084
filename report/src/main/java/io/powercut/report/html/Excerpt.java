// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import java.util.List;

/**
 * Some lines of a source file.
 *
 * @param lines in order; one of them is marked
 * @param newer whether the file was changed after the run began, so that lines may have moved
 */
record Excerpt(List<Line> lines, boolean newer) {
  Excerpt {
    lines = List.copyOf(lines);
  }

  /**
   * @param number from 1
   * @param text without the end of line
   * @param marked whether it is the line in question
   */
  record Line(int number, String text, boolean marked) {}
}
