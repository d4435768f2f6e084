// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.ranges.LineRange;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.Location;
import it.unimi.dsi.fastutil.longs.LongIterator;

/** What a synchronisation or the change of a file does to the lines of a range. */
final class RangeEffects {
  private final TrackedLines lines;

  RangeEffects(TrackedLines lines) {
    this.lines = lines;
  }

  /** What is done to some bytes of a line of which other bytes may still be in flight. */
  interface BytesChange {
    void on(LineHistory line, long bytes);
  }

  /** Whether stores before a place of the trace are in flight. */
  boolean hasStores(LineRange range, long ordinal) {
    for (LineHistory line : lines.hot(range)) {
      if (line.stores().stream().anyMatch(store -> store.ordinal() < ordinal)) {
        return true;
      }
    }
    LongIterator pages = lines.coldPages(range).iterator();
    while (pages.hasNext()) {
      long page = pages.nextLong();
      for (LineRun run = lines.coldRuns(page); run != null; run = run.next()) {
        for (int index = 0; index < run.count(); index++) {
          if (range.contains(run.location(page, index)) && run.ordinal(index) < ordinal) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What was stored before a place of the trace is persisted now. */
  void guarantee(LineRange range, long ordinal) {
    for (LineHistory line : lines.hot(range)) {
      guarantee(line, ordinal);
    }
    LongIterator pages = lines.coldPages(range).iterator();
    while (pages.hasNext()) {
      guaranteeIn(pages.nextLong(), range, ordinal);
      lines.cool();
    }
  }

  private void guarantee(LineHistory line, long ordinal) {
    lines.change(line, changed -> changed.guarantee(store -> store.ordinal() < ordinal));
  }

  private void guaranteeIn(long page, LineRange range, long ordinal) {
    for (LineRun run = lines.coldRuns(page); run != null; run = run.next()) {
      for (int index = 0; index < run.count(); index++) {
        if (range.contains(run.location(page, index))) {
          guarantee(lines.warm(page, run, index), ordinal);
        }
      }
    }
  }

  /** Nothing is in flight any more. */
  void drop(LineRange range) {
    lines.hot(range).forEach(lines::drop);
    LongIterator pages = lines.coldPages(range).iterator();
    while (pages.hasNext()) {
      dropIn(pages.nextLong(), range);
    }
  }

  private void dropIn(long page, LineRange range) {
    for (LineRun run = lines.coldRuns(page); run != null; run = run.next()) {
      if (range.contains(run.location(page, 0))
          && range.contains(run.location(page, run.count() - 1))) {
        lines.drop(page, run);
        continue;
      }
      for (int index = 0; index < run.count(); index++) {
        if (range.contains(run.location(page, index))) {
          lines.drop(lines.warm(page, run, index));
        }
      }
    }
  }

  /**
   * Nothing is in flight any more in a range of bytes.
   *
   * @param until exclusive
   * @param change is done to the first and the last line, of which there may be other bytes
   */
  void forget(int file, long from, long until, BytesChange change) {
    if (LineRange.isEmpty(from, until)) {
      return;
    }
    long to = Math.min(until, LineRange.WHOLE_FILE);
    LineRange range = LineRange.of(file, from, to);
    forgetInLine(range.first(), from, to, change);
    forgetInLine(range.last(), from, to, change);
    if (range.count() > 2) {
      drop(new LineRange(range.first() + LineRange.LINE, range.last() - LineRange.LINE));
    }
  }

  private void forgetInLine(long location, long from, long to, BytesChange change) {
    LineHistory line = lines.find(location);
    if (line != null) {
      long start = Location.offset(location);
      int begin = (int) Math.max(0, from - start);
      int end = (int) Math.min(LineWords.LINE, to - start);
      lines.change(line, changed -> change.on(changed, LineWords.bytes(begin, end)));
    }
    lines.cool();
  }
}
