// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.ImageStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cache line with what stores put there.
 *
 * @param file path in the PM directory
 * @param offset of the line in the file
 * @param rows its bytes, 16 to a row
 */
record ChangedLine(String file, long offset, List<List<Bytes>> rows) {
  private static final int SIZE = 64;
  private static final int ROW = 16;
  private static final String UNTOUCHED = "··";
  private static final String NOT_RECORDED = "??";

  ChangedLine {
    rows = List.copyOf(rows);
  }

  /**
   * Bytes in a row with the same fate.
   *
   * @param text two characters for each
   * @param changed whether they were stored to
   */
  record Bytes(String text, boolean changed) {}

  private record Place(String file, long line) {}

  /**
   * The lines that some stores touch, in the order in which they were touched first. Of a store,
   * only as many lines are shown as its recorded bytes reach, and one more.
   */
  static List<ChangedLine> of(List<ImageStore> stores) {
    Map<Place, String[]> lines = new LinkedHashMap<>();
    for (ImageStore store : stores) {
      int recorded = store.bytes().length() / 2;
      for (int index = 0; index < Math.min(store.size(), recorded + SIZE); index++) {
        long offset = store.offset() + index;
        String text =
            index < recorded ? store.bytes().substring(2 * index, 2 * index + 2) : NOT_RECORDED;
        lines
                .computeIfAbsent(
                    new Place(store.file(), offset / SIZE * SIZE), place -> untouched())[
                (int) (offset % SIZE)] =
            text;
      }
    }
    return lines.entrySet().stream()
        .map(
            line ->
                new ChangedLine(line.getKey().file(), line.getKey().line(), rows(line.getValue())))
        .toList();
  }

  private static String[] untouched() {
    String[] line = new String[SIZE];
    Arrays.fill(line, UNTOUCHED);
    return line;
  }

  private static List<List<Bytes>> rows(String[] line) {
    List<List<Bytes>> rows = new ArrayList<>();
    for (int start = 0; start < SIZE; start += ROW) {
      rows.add(runs(Arrays.asList(line).subList(start, start + ROW)));
    }
    return rows;
  }

  private static List<Bytes> runs(List<String> row) {
    List<Bytes> runs = new ArrayList<>();
    int start = 0;
    while (start < row.size()) {
      boolean changed = !row.get(start).equals(UNTOUCHED);
      int end = start + 1;
      while (end < row.size() && changed != row.get(end).equals(UNTOUCHED)) {
        end++;
      }
      runs.add(new Bytes(String.join(" ", row.subList(start, end)), changed));
      start = end;
    }
    return runs;
  }
}
