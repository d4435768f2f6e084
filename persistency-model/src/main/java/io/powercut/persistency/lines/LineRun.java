// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.ranges.LineWords;
import io.powercut.persistency.scratch.Segments;
import org.jspecify.annotations.Nullable;

/**
 * Lines of one page at equal distances that have one shape, were stored to at equal distances in
 * the trace, and whose bytes are kept at equal distances: such as a loop leaves. Or one line. Never
 * changes; the runs of a page are a list.
 */
public final class LineRun {
  private static final int MOST_TURNS = 4;

  private final LineShape shape;
  private final Segments.Segment segment;
  private final @Nullable LineRun next;
  private final long ordinal;
  private final int ordinalStep;
  private final int offset;
  private final int offsetStep;
  private final byte first;
  private final byte step;
  private final byte count;

  private LineRun(
      LineRun like,
      long ordinal,
      int ordinalStep,
      int offset,
      int offsetStep,
      int first,
      int step,
      int count,
      @Nullable LineRun next) {
    this.shape = like.shape;
    this.segment = like.segment;
    this.ordinal = ordinal;
    this.ordinalStep = ordinalStep;
    this.offset = offset;
    this.offsetStep = offsetStep;
    this.first = (byte) first;
    this.step = (byte) step;
    this.count = (byte) count;
    this.next = next;
  }

  /**
   * A line.
   *
   * @param place the line's number in its page
   * @param ordinal of its first store
   * @param offset of its bytes in the segment
   */
  public LineRun(LineShape shape, Segments.Segment segment, int place, long ordinal, int offset) {
    this.shape = shape;
    this.segment = segment;
    this.next = null;
    this.ordinal = ordinal;
    this.ordinalStep = 0;
    this.offset = offset;
    this.offsetStep = 0;
    this.first = (byte) place;
    this.step = 1;
    this.count = 1;
  }

  public LineShape shape() {
    return shape;
  }

  Segments.Segment segment() {
    return segment;
  }

  @Nullable LineRun next() {
    return next;
  }

  public int count() {
    return count;
  }

  /** The number in its page of one of the lines. */
  int place(int index) {
    return first + index * step;
  }

  /**
   * The location of one of the lines.
   *
   * @param page the location of the first byte of their page
   */
  long location(long page, int index) {
    return page + (long) place(index) * LineWords.LINE;
  }

  public long ordinal(int index) {
    return ordinal + (long) index * ordinalStep;
  }

  int offset(int index) {
    return offset + index * offsetStep;
  }

  /** Which of the lines has this number in the page; -1 if none. */
  public int indexOf(int place) {
    int distance = place - first;
    return distance >= 0 && distance % step == 0 && distance / step < count ? distance / step : -1;
  }

  /** The same run in front of others. */
  LineRun before(@Nullable LineRun others) {
    return others == next ? this : part(0, count, others);
  }

  private LineRun part(int from, int to, @Nullable LineRun others) {
    return new LineRun(
        this,
        ordinal(from),
        ordinalStep,
        offset(from),
        offsetStep,
        place(from),
        step,
        to - from,
        others);
  }

  /** A page's runs with one more line, which is not in them. */
  static LineRun with(@Nullable LineRun runs, LineRun line) {
    LineRun run = runs;
    // A loop whose instructions take turns leaves as many runs as there are turns.
    for (int turn = 0; turn < MOST_TURNS && run != null; turn++) {
      if (run.continuesWith(line)) {
        return run.longer(line, runs == run ? run.next : withoutRun(runs, run));
      }
      run = run.next;
    }
    return line.before(runs);
  }

  private LineRun longer(LineRun line, @Nullable LineRun others) {
    return new LineRun(
        this,
        ordinal,
        (int) (line.ordinal - ordinal(count - 1)),
        offset,
        line.offset - offset(count - 1),
        first,
        line.first - place(count - 1),
        count + 1,
        others);
  }

  private boolean continuesWith(LineRun line) {
    long ordinalDistance = line.ordinal - ordinal(count - 1);
    int distance = line.first - place(count - 1);
    return line.shape.equals(shape)
        && line.segment == segment
        && distance > 0
        && ordinalDistance == (int) ordinalDistance
        && (count == 1
            || (distance == step
                && ordinalDistance == ordinalStep
                && line.offset - offset(count - 1) == offsetStep));
  }

  /** A page's runs without a line; nothing if there are no others. */
  static @Nullable LineRun without(LineRun runs, int place) {
    int index = runs.indexOf(place);
    if (index < 0) {
      LineRun next = runs.next;
      return next == null ? runs : runs.before(without(next, place));
    }
    LineRun rest = runs.next;
    if (index + 1 < runs.count) {
      rest = runs.part(index + 1, runs.count, rest);
    }
    return index > 0 ? runs.part(0, index, rest) : rest;
  }

  /** A page's runs without one of them; nothing if there are no others. */
  static @Nullable LineRun withoutRun(@Nullable LineRun runs, LineRun gone) {
    if (runs == null || runs == gone) {
      return runs == null ? null : runs.next;
    }
    return runs.before(withoutRun(runs.next, gone));
  }

  /** The run of a page that has a line; nothing if none has. */
  public static @Nullable LineRun find(@Nullable LineRun runs, int place) {
    LineRun run = runs;
    while (run != null && run.indexOf(place) < 0) {
      run = run.next;
    }
    return run;
  }
}
