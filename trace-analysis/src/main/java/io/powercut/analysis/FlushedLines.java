// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import io.powercut.persistency.ranges.LineRange;
import io.powercut.trace.Location;
import java.util.Arrays;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Which lines were ever flushed or synchronised: one bit a line, compressed. And who flushed the
 * lines of late, from a bounded memory that forgets.
 */
final class FlushedLines {
  private static final int REMEMBERED = 1 << 16;

  private static final int LINE_BITS = 6;

  /** Odd, and far from 0: files are kept apart by it. */
  private static final long FILE_DISTANCE = 25_031;

  private final Roaring64Bitmap ever = new Roaring64Bitmap();

  /** By file, the offset below which all of it was synchronised at once. */
  private long[] synchronised = new long[0];

  /** A line has one place in this memory; neighbours do not meet, nor do the headers of files. */
  private final long[] recentLines = new long[REMEMBERED];

  private final int[] recentFlushes = new int[REMEMBERED];

  /** The number of the line at a location, the same for all its bytes. */
  static long at(long location) {
    return location >>> LINE_BITS;
  }

  private static int index(long line) {
    int file = Location.file(line << LINE_BITS);
    return (int) (line + FILE_DISTANCE * file) & REMEMBERED - 1;
  }

  /** A line is flushed by an instruction at a place that has something to write back. */
  void flush(long line, int place) {
    int index = index(line);
    if (recentLines[index] != line) {
      ever.addLong(line);
      recentLines[index] = line;
    }
    recentFlushes[index] = place;
  }

  /** A line is flushed, with nothing to write back. */
  void flushInVain(long line) {
    if (recentLines[index(line)] != line) {
      ever.addLong(line);
    }
  }

  /** The place of the last flush of a line that had something to write back; NONE if forgotten. */
  int latestFlush(long line) {
    int index = index(line);
    return recentLines[index] == line ? recentFlushes[index] : Places.NONE;
  }

  /** Lines of a file are synchronised. */
  void synchronise(LineRange lines) {
    if (Location.offset(lines.first()) == 0) {
      int file = lines.file();
      if (file >= synchronised.length) {
        synchronised = Arrays.copyOf(synchronised, file + 16);
      }
      long end = Location.offset(lines.last()) + LineRange.LINE;
      synchronised[file] = Math.max(synchronised[file], end);
    } else {
      ever.addRange(at(lines.first()), at(lines.last()) + 1);
    }
  }

  /** Whether a line was flushed or synchronised at any time. */
  boolean contains(long line) {
    long location = line << LINE_BITS;
    int file = Location.file(location);
    boolean wasSynchronised =
        file < synchronised.length && Location.offset(location) < synchronised[file];
    return wasSynchronised || ever.contains(line);
  }
}
