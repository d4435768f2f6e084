// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.trace.Location;
import io.powercut.trace.replay.TraceTables;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How much an analysis may keep, how much it keeps, and where it had to leave something out. */
final class Room {
  private static final long NOWHERE = -1;

  /**
   * Nobody is expected to hold as many locks at once; if somebody does, more is kept from then on.
   */
  private static final int FEW_LOCKS = 4;

  /** What may be more than is kept. */
  enum Limit {
    LINES("%,d cache lines that threads used, from %s on"),
    ALL("%,d stores in flight, and stores and loads that differ, in all lines, from %s on"),
    OF_LINE("%,d stores or loads that differ in the cache line %s"),
    IN_FLIGHT("as many stores in flight as the model of the cache keeps%2$s"),
    ALLOCATIONS("as many races with what an allocator stores as are kept%2$s"),
    LOCKS("%,d locks that a thread held at once, at %s");

    private final String text;

    Limit(String text) {
      this.text = text;
    }
  }

  private final RaceOptions options;

  /** By limit that was reached, where that was first. */
  private final Map<Limit, Long> reached = new EnumMap<>(Limit.class);

  /** More locks than anybody was seen to hold at once, where that mattered. */
  private int many = FEW_LOCKS;

  private int kept;
  private boolean isThinned;

  Room(RaceOptions options) {
    this.options = options;
  }

  /** A limit is reached at a location. */
  void reach(Limit limit, long location) {
    reached.putIfAbsent(limit, location);
  }

  /** A limit is reached that is not about a location. */
  void reach(Limit limit) {
    reach(limit, NOWHERE);
  }

  /** Whether no more lines are to be kept. */
  boolean isFullOfLines(int lines, long location) {
    boolean isFull = lines >= options.mostLines();
    if (isFull) {
      reach(Limit.LINES, location);
    }
    return isFull;
  }

  /** Whether nothing more is to be kept. */
  boolean isFull(long location) {
    boolean isFull = kept >= options.mostKept();
    if (isFull) {
      reach(Limit.ALL, location);
    }
    return isFull;
  }

  /** Whether one more may be kept of a line. */
  boolean isFor(int ofLine, long location) {
    if (ofLine >= options.mostKeptOfLine()) {
      reach(Limit.OF_LINE, location);
      return false;
    }
    return !isFull(location);
  }

  /** So much more is kept now; less, if it is negative. */
  void keep(int more) {
    kept += more;
  }

  /**
   * The same of something that may have taken the place of others.
   *
   * @param isLike whether one of the same kind was replaced
   */
  void keep(int more, boolean isLike) {
    kept += more;
    isThinned |= !isLike && more <= 0;
  }

  /** So many locks are held. What was left out before may matter if it was for fewer. */
  void hold(int locks, long location) {
    if (locks >= many) {
      many = locks + 1;
      if (isThinned) {
        reach(Limit.LOCKS, location);
      }
    }
  }

  /** More locks than anybody was seen to hold at once. */
  int manyLocks() {
    return many;
  }

  /**
   * Which limits were reached, in words, each with the place where it first was; none if all that
   * had to be kept was.
   */
  List<String> limits(TraceTables tables) {
    List<String> words = new ArrayList<>();
    reached.forEach(
        (limit, location) ->
            words.add(
                String.format(
                    Locale.ROOT,
                    limit.text,
                    number(limit),
                    location == NOWHERE
                        ? ""
                        : "0x%x of %s"
                            .formatted(
                                Location.offset(location),
                                tables.file(Location.file(location)).path()))));
    return words;
  }

  private int number(Limit limit) {
    return switch (limit) {
      case LINES -> options.mostLines();
      case ALL -> options.mostKept();
      case OF_LINE -> options.mostKeptOfLine();
      case LOCKS -> many - 1;
      case IN_FLIGHT, ALLOCATIONS -> 0;
    };
  }
}
