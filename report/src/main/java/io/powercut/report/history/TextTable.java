// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.util.ArrayList;
import java.util.List;

/** Columns of text; those of numbers stand to the right. */
public final class TextTable {
  private static final String NUMBER = "[0-9]*|-|[0-9.]+ s";

  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param headings one a column
   */
  public TextTable(String... headings) {
    rows.add(List.of(headings));
  }

  /**
   * Adds a row.
   *
   * @param cells at most one a column; the last may be longer than any column when there are fewer
   */
  public void add(List<String> cells) {
    rows.add(List.copyOf(cells));
  }

  /** The lines, the headings first. */
  public List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    boolean[] right = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      right[column] = column > 0;
      for (int row = 0; row < rows.size(); row++) {
        List<String> cells = rows.get(row);
        if (cells.size() == columns) {
          widths[column] = Math.max(widths[column], cells.get(column).length());
          right[column] &= row == 0 || cells.get(column).matches(NUMBER);
        } else if (column == 0) {
          widths[column] = Math.max(widths[column], cells.get(column).length());
        }
      }
    }
    return rows.stream().map(cells -> line(cells, widths, right)).toList();
  }

  private static String line(List<String> cells, int[] widths, boolean[] right) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      boolean whole = cells.size() == widths.length;
      String blanks = " ".repeat(Math.max(0, widths[column] - cell.length()));
      line.append(right[column] && whole ? blanks + cell : cell + blanks).append("  ");
    }
    return line.toString().stripTrailing();
  }
}
