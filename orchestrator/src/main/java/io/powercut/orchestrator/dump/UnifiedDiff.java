package io.powercut.orchestrator.dump;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The difference of two texts by lines, as {@code diff -u} shows it. Where the parts that differ
 * are large, it is not the smallest one.
 */
final class UnifiedDiff {
  private static final int CONTEXT = 3;

  /** Of a larger product of lines that differ, no common ones are looked for in between. */
  private static final long MOST_CELLS = 1_000_000;

  private static final int MOST_LINES = 60;
  private static final int LONGEST_LINE = 300;

  private enum Kind {
    COMMON(' '),
    MISSING('-'),
    ADDED('+');

    private final char mark;

    Kind(char mark) {
      this.mark = mark;
    }
  }

  /**
   * One line of the difference.
   *
   * @param expectedIndex how many lines of the expected text are before it
   * @param foundIndex how many of the other
   */
  private record Line(Kind kind, String text, int expectedIndex, int foundIndex) {}

  private final List<Line> lines;

  private UnifiedDiff(List<Line> lines) {
    this.lines = lines;
  }

  /** What is missing in and what was added to a text. */
  static UnifiedDiff between(String expected, String found) {
    List<String> left = expected.lines().toList();
    List<String> right = found.lines().toList();
    int shorter = Math.min(left.size(), right.size());
    int head = 0;
    while (head < shorter && left.get(head).equals(right.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < shorter - head
        && left.get(left.size() - 1 - tail).equals(right.get(right.size() - 1 - tail))) {
      tail++;
    }
    List<Line> lines = new ArrayList<>();
    addCommon(lines, left, Math.max(0, head - CONTEXT), head, 0);
    addMiddle(lines, left, right, head, tail);
    int end = left.size() - tail;
    addCommon(lines, left, end, Math.min(left.size(), end + CONTEXT), right.size() - left.size());
    return new UnifiedDiff(lines);
  }

  private static void addCommon(
      List<Line> lines, List<String> left, int from, int to, int foundAhead) {
    for (int index = from; index < to; index++) {
      lines.add(new Line(Kind.COMMON, left.get(index), index, index + foundAhead));
    }
  }

  private static void addMiddle(
      List<Line> lines, List<String> left, List<String> right, int head, int tail) {
    int leftEnd = left.size() - tail;
    int rightEnd = right.size() - tail;
    int[][] common = commonLines(left.subList(head, leftEnd), right.subList(head, rightEnd));
    int at = head;
    int other = head;
    while (at < leftEnd || other < rightEnd) {
      if (at < leftEnd && other < rightEnd && isCommon(common, left, right, at, other)) {
        lines.add(new Line(Kind.COMMON, left.get(at), at, other));
        at++;
        other++;
      } else if (other == rightEnd
          || (at < leftEnd && isMissingFirst(common, at - head, other - head))) {
        lines.add(new Line(Kind.MISSING, left.get(at), at, other));
        at++;
      } else {
        lines.add(new Line(Kind.ADDED, right.get(other), at, other));
        other++;
      }
    }
  }

  private static boolean isCommon(
      int[][] common, List<String> left, List<String> right, int at, int other) {
    return common.length > 0 && left.get(at).equals(right.get(other));
  }

  private static boolean isMissingFirst(int[][] common, int at, int other) {
    return common.length == 0 || common[at + 1][other] >= common[at][other + 1];
  }

  /**
   * For each pair of places, how many lines the rests of both texts have in common, in order; empty
   * when that is too much to find out.
   */
  private static int[][] commonLines(List<String> left, List<String> right) {
    if ((long) left.size() * right.size() > MOST_CELLS) {
      return new int[0][];
    }
    int[][] common = new int[left.size() + 1][right.size() + 1];
    for (int at = left.size() - 1; at >= 0; at--) {
      for (int other = right.size() - 1; other >= 0; other--) {
        common[at][other] =
            left.get(at).equals(right.get(other))
                ? common[at + 1][other + 1] + 1
                : Math.max(common[at + 1][other], common[at][other + 1]);
      }
    }
    return common;
  }

  /** How many lines of the expected text the other lacks. */
  int missing() {
    return count(Kind.MISSING);
  }

  /** How many lines it has that are not expected. */
  int added() {
    return count(Kind.ADDED);
  }

  private int count(Kind kind) {
    return (int) lines.stream().filter(line -> line.kind() == kind).count();
  }

  /**
   * The difference for a person, bounded in lines and in their length, in UTF-8 made of texts that
   * hold a byte in each character.
   *
   * @param expected what the expected text is called
   * @param found what the other is called
   */
  String text(String expected, String found) {
    List<String> shown = new ArrayList<>();
    int begin = 0;
    while (begin < lines.size()) {
      int end = hunkEnd(begin);
      if (end > begin) {
        shown.add(header(lines.subList(begin, end)));
        lines.subList(begin, end).forEach(line -> shown.add(line.kind().mark + shown(line)));
      }
      begin = Math.max(end, begin + 1);
    }
    String head = "--- %s\n+++ %s\n".formatted(expected, found);
    String rest =
        shown.size() > MOST_LINES ? "and %d more\n".formatted(shown.size() - MOST_LINES) : "";
    return head
        + String.join("\n", shown.subList(0, Math.min(MOST_LINES, shown.size())))
        + "\n"
        + rest;
  }

  /** Behind the lines from here on that are near a change. */
  private int hunkEnd(int begin) {
    int end = begin;
    while (end < lines.size() && isNearChange(end)) {
      end++;
    }
    return end;
  }

  private boolean isNearChange(int index) {
    int from = Math.max(0, index - CONTEXT);
    int to = Math.min(lines.size(), index + CONTEXT + 1);
    return lines.subList(from, to).stream().anyMatch(line -> line.kind() != Kind.COMMON);
  }

  private static String header(List<Line> hunk) {
    long expected = hunk.stream().filter(line -> line.kind() != Kind.ADDED).count();
    long found = hunk.stream().filter(line -> line.kind() != Kind.MISSING).count();
    return "@@ -%s +%s @@"
        .formatted(
            range(hunk.get(0).expectedIndex(), expected), range(hunk.get(0).foundIndex(), found));
  }

  /** As {@code diff} counts: an empty range is named by the line before it. */
  private static String range(int index, long count) {
    return (count == 0 ? index : index + 1) + "," + count;
  }

  private static String shown(Line line) {
    String text =
        new String(line.text().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return text.length() > LONGEST_LINE ? text.substring(0, LONGEST_LINE) + "..." : text;
  }
}
