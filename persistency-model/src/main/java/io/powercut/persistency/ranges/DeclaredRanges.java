// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.ranges;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeMap;
import com.google.common.collect.TreeRangeSet;
import io.powercut.trace.Location;
import io.powercut.trace.TraceEvent;
import java.util.List;
import java.util.Map;

/**
 * What the program says of bytes by {@code powercut.h}. They are known by their place in the file,
 * so it does not matter where that is mapped, or whether it is just now.
 */
public final class DeclaredRanges {
  /** Until something else is said of the bytes. */
  private static final long STILL = Long.MAX_VALUE;

  private final RangeSet<Long> ignored = TreeRangeSet.create();

  /**
   * Behind which place in the trace stores count again. One before it is transient even if it came
   * before that was said: it was in flight then, or does not matter any more.
   */
  private final TreeRangeMap<Long, Long> transientUntil = TreeRangeMap.create();

  private long lastLine = -1;
  private long lastIgnored;

  /** The program says something of bytes; it stands until it says something else of them. */
  public void declare(TraceEvent.RangeDeclared declared) {
    if (Location.isVolatile(declared.location())) {
      return;
    }
    lastLine = -1;
    Range<Long> range = Range.closedOpen(declared.location(), end(declared));
    switch (declared.kind()) {
      case IGNORED -> {
        ignored.add(range);
        transientUntil.remove(range);
      }
      case TRANSIENT -> {
        ignored.remove(range);
        transientUntil.putCoalescing(range, STILL);
      }
      case PERSISTENT -> {
        ignored.remove(range);
        // A copy: the map must not change while its view is iterated.
        List<Range<Long>> ending =
            List.copyOf(transientUntil.subRangeMap(range).asMapOfRanges().entrySet()).stream()
                .filter(entry -> entry.getValue() == STILL)
                .map(Map.Entry::getKey)
                .toList();
        ending.forEach(one -> transientUntil.putCoalescing(one, declared.ordinal()));
      }
    }
  }

  private static long end(TraceEvent.RangeDeclared declared) {
    return declared.location() + declared.size();
  }

  /** The locations of all bytes that no analysis is to look at now. Does not change later. */
  public ImmutableRangeSet<Long> ignored() {
    return ImmutableRangeSet.copyOf(ignored);
  }

  /** The bytes of a line that no analysis is to look at: a bit for each. */
  public long ignored(long line) {
    if (ignored.isEmpty()) {
      return 0;
    }
    if (line != lastLine) {
      lastLine = line;
      lastIgnored = 0;
      Range<Long> bytes = Range.closedOpen(line, line + LineWords.LINE);
      if (ignored.intersects(bytes)) {
        for (Range<Long> part : ignored.subRangeSet(bytes).asRanges()) {
          lastIgnored |= bytesOf(part, line);
        }
      }
    }
    return lastIgnored;
  }

  /** Whether nothing is transient, nor was. */
  public boolean hasNoTransient() {
    return transientUntil.asMapOfRanges().isEmpty();
  }

  /**
   * The bytes of a line that were transient when something was stored to them.
   *
   * @param ordinal of the store, which is in flight
   */
  public long transientBytes(long line, long ordinal) {
    long found = 0;
    Range<Long> bytes = Range.closedOpen(line, line + LineWords.LINE);
    for (Map.Entry<Range<Long>, Long> part :
        transientUntil.subRangeMap(bytes).asMapOfRanges().entrySet()) {
      if (ordinal < part.getValue()) {
        found |= bytesOf(part.getKey(), line);
      }
    }
    return found;
  }

  private static long bytesOf(Range<Long> part, long line) {
    return LineWords.bytes(
        (int) (part.lowerEndpoint() - line), (int) (part.upperEndpoint() - line));
  }
}
