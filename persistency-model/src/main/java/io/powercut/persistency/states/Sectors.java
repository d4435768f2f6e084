// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.ranges.LineWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Crash states as a disk leaves them. The page cache writes whole sectors, and what a sector holds
 * is what it held in memory at some time; persistent memory that is mapped directly (DAX) knows
 * nothing larger than 8 bytes.
 */
public final class Sectors {
  /** In bytes; what every disk writes as a whole. */
  public static final int SECTOR = 512;

  private final CrashStates states;

  /**
   * @param states everything that is possible at one point
   */
  public Sectors(CrashStates states) {
    this.states = states;
  }

  /**
   * What a disk could have left in the place of a state: each of its sectors that never held in
   * memory what it holds in the state, is as it was in front of some store to such a sector, the
   * same for all. The rest of the state stays. In its place is only what loses, of some line, the
   * first store that the state loses there: what loses others is another mistake.
   *
   * @param most so many at most: those that lose no more than need be come first
   * @return nothing if a disk could leave the state itself, or if that is not known; it is not when
   *     stores to the lines were forgotten, or the lines are too many
   */
  public Optional<List<CrashState>> instead(CrashState state, int most) {
    if (!state.isFew()) {
      return Optional.empty();
    }
    Map<Long, List<LineDifference>> sectors = new TreeMap<>();
    for (LineDifference line : state.differences()) {
      sectors.computeIfAbsent(sector(line.location()), any -> new ArrayList<>()).add(line);
    }
    List<InFlightLine> torn = new ArrayList<>();
    List<LineDifference> whole = new ArrayList<>();
    for (Map.Entry<Long, List<LineDifference>> sector : sectors.entrySet()) {
      List<InFlightLine> lines = lines(sector.getKey());
      if (lines.stream().anyMatch(line -> line.forgotten() > 0)) {
        return Optional.empty();
      }
      if (isOfSomeTime(lines, sector.getValue())) {
        whole.addAll(sector.getValue());
      } else {
        torn.addAll(lines);
      }
    }
    return torn.isEmpty() ? Optional.empty() : Optional.of(snapshots(torn, whole, state, most));
  }

  private static long sector(long location) {
    return location & -SECTOR;
  }

  private List<InFlightLine> lines(long sector) {
    List<InFlightLine> lines = new ArrayList<>();
    for (long location = sector; location < sector + SECTOR; location += LineWords.LINE) {
      states.line(location).ifPresent(lines::add);
    }
    return lines;
  }

  private static boolean isOfSomeTime(List<InFlightLine> lines, List<LineDifference> wanted) {
    return Arrays.stream(times(lines)).anyMatch(time -> before(time, lines).equals(wanted));
  }

  /** The stores to some lines, in order. */
  private static long[] times(List<InFlightLine> lines) {
    return lines.stream()
        .flatMap(line -> line.stores().stream())
        .mapToLong(InFlightStore::ordinal)
        .sorted()
        .distinct()
        .toArray();
  }

  private static List<LineDifference> before(long time, List<InFlightLine> lines) {
    return lines.stream().flatMap(line -> line.before(time).stream()).toList();
  }

  private static List<CrashState> snapshots(
      List<InFlightLine> torn, List<LineDifference> whole, CrashState state, int most) {
    LongSummaryStatistics lost =
        state.differences().stream()
            .flatMap(line -> line.missing().stream().limit(1))
            .mapToLong(InFlightStore::ordinal)
            .summaryStatistics();
    long firstLost = lost.getMin();
    return Arrays.stream(times(torn))
        .filter(time -> time <= lost.getMax() || !whole.isEmpty())
        .boxed()
        .sorted(Comparator.comparingLong(time -> time > firstLost ? time : firstLost - time))
        .limit(most)
        .map(
            time ->
                CrashState.of(Stream.concat(whole.stream(), before(time, torn).stream()).toList()))
        .toList();
  }
}
