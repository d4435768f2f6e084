// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import com.google.common.primitives.Booleans;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
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

  /**
   * The lines of a crash state in which stores are lost, with the bytes of these marked.
   *
   * @param persisted whether to show the lines as if the lost stores had persisted
   */
  static List<ChangedLine> of(JudgedState state, boolean persisted) {
    List<ImageStore> lost = state.lost().stream().map(JudgedState.Store::store).toList();
    List<ChangedLine> lines = new ArrayList<>();
    for (JudgedState.Line line : state.lines()) {
      String[] bytes = bytes(line.content());
      boolean[] marked = new boolean[SIZE];
      for (ImageStore store : lost) {
        if (store.file().equals(line.file())) {
          mark(store, line.offset(), persisted ? bytes : new String[SIZE], marked);
        }
      }
      if (Booleans.contains(marked, true)) {
        lines.add(new ChangedLine(line.file(), line.offset(), rows(bytes, marked)));
      }
    }
    return lines;
  }

  private static String[] bytes(String content) {
    String[] bytes = new String[SIZE];
    Arrays.fill(bytes, NOT_RECORDED);
    for (int index = 0; index < Math.min(SIZE, content.length() / 2); index++) {
      bytes[index] = content.substring(2 * index, 2 * index + 2);
    }
    return bytes;
  }

  private static void mark(ImageStore store, long line, String[] bytes, boolean[] marked) {
    int recorded = store.bytes().length() / 2;
    for (int at = 0; at < SIZE; at++) {
      long index = line + at - store.offset();
      if (index >= 0 && index < store.size()) {
        int first = (int) (2 * index);
        bytes[at] = index < recorded ? store.bytes().substring(first, first + 2) : NOT_RECORDED;
        marked[at] = true;
      }
    }
  }

  private static String[] untouched() {
    String[] line = new String[SIZE];
    Arrays.fill(line, UNTOUCHED);
    return line;
  }

  private static List<List<Bytes>> rows(String[] line) {
    boolean[] marked = new boolean[SIZE];
    for (int index = 0; index < SIZE; index++) {
      marked[index] = !line[index].equals(UNTOUCHED);
    }
    return rows(line, marked);
  }

  private static List<List<Bytes>> rows(String[] line, boolean[] marked) {
    List<List<Bytes>> rows = new ArrayList<>();
    for (int start = 0; start < SIZE; start += ROW) {
      rows.add(runs(line, marked, start, start + ROW));
    }
    return rows;
  }

  private static List<Bytes> runs(String[] line, boolean[] marked, int from, int to) {
    List<Bytes> runs = new ArrayList<>();
    int start = from;
    while (start < to) {
      int end = start + 1;
      while (end < to && marked[end] == marked[start]) {
        end++;
      }
      runs.add(new Bytes(String.join(" ", Arrays.asList(line).subList(start, end)), marked[start]));
      start = end;
    }
    return runs;
  }
}
