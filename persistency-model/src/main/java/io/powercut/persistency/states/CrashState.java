// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import com.google.common.collect.ImmutableList;
import io.powercut.persistency.lines.ColdLines;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.trace.Location;
import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import it.unimi.dsi.fastutil.longs.LongAVLTreeSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a power cut may leave, as its differences to the state of program order at the same point.
 * Equal states of one point have equal contents; states of which only the rule is kept are equal
 * when their rules are. Never changes.
 */
public final class CrashState {
  private static final long LAST_OFFSET = (1L << Location.OFFSET_BITS) - 1;
  private static final long PAGE = 4096;

  private final ImmutableList<LineDifference> differences;
  private final ImmutableList<LostLines> more;
  private final int hash;

  private CrashState(ImmutableList<LineDifference> differences, ImmutableList<LostLines> more) {
    this.differences = differences;
    this.more = more;
    this.hash = 31 * differences.hashCode() + more.hashCode();
  }

  /**
   * The state with these differences and no others. Lines do not depend on each other, so any
   * selection of the differences of possible states of one point is a possible state. Those that
   * change nothing are left out.
   *
   * @throws IllegalArgumentException if two are of the same line
   */
  public static CrashState of(Collection<LineDifference> differences) {
    return new CrashState(sorted(differences), ImmutableList.of());
  }

  private static ImmutableList<LineDifference> sorted(Collection<LineDifference> differences) {
    ImmutableList<LineDifference> sorted =
        differences.stream()
            .filter(difference -> !difference.changesNothing())
            .sorted(Comparator.comparingLong(LineDifference::location))
            .collect(ImmutableList.toImmutableList());
    for (int index = 1; index < sorted.size(); index++) {
      if (sorted.get(index).location() == sorted.get(index - 1).location()) {
        throw new IllegalArgumentException("two contents of one line: " + sorted.get(index));
      }
    }
    return sorted;
  }

  static CrashState of(LostLines lines) {
    return new CrashState(ImmutableList.of(), ImmutableList.of(lines));
  }

  /**
   * All that is lost in any of these states of one point.
   *
   * @param states no two of them differ from program order in the same line
   */
  public static CrashState all(Collection<CrashState> states) {
    return new CrashState(
        sorted(states.stream().flatMap(state -> state.differences.stream()).toList()),
        states.stream()
            .flatMap(state -> state.more.stream())
            .collect(ImmutableList.toImmutableList()));
  }

  /** Whether every difference is known by itself. */
  public boolean isFew() {
    return more.isEmpty();
  }

  /**
   * The lines that are not as in program order, by location.
   *
   * @throws IllegalStateException if they are so many that only their rule is kept
   */
  public List<LineDifference> differences() {
    if (!isFew()) {
      throw new IllegalStateException("the differences are not known one by one");
    }
    return differences;
  }

  /** The same with all differences known, if they are few. */
  public CrashState simple() {
    List<LineDifference> all = new ArrayList<>(differences);
    for (LostLines lines : more) {
      Optional<List<LineDifference>> few =
          lines.differences(CrashStates.FEW_LINES - Math.min(CrashStates.FEW_LINES, all.size()));
      if (few.isEmpty()) {
        return this;
      }
      all.addAll(few.get());
    }
    return isFew() ? this : of(all);
  }

  /**
   * Some of the differences, in the order of their locations; at least one, and no more than {@link
   * CrashStates#FEW_LINES}.
   */
  public List<LineDifference> first() {
    List<LineDifference> first = new ArrayList<>(differences);
    for (LostLines lines : more) {
      lines.visit(
          0,
          StoredLines.LAST,
          (line, content) -> {
            LineDifference difference = InFlightLine.of(line).withContent(content);
            if (!difference.changesNothing()) {
              first.add(difference);
            }
            return first.size() < CrashStates.FEW_LINES;
          });
    }
    return sorted(first.subList(0, Math.min(first.size(), CrashStates.FEW_LINES)));
  }

  /**
   * States that have the differences of this one between them, each line in one of them.
   *
   * @param number into how many parts that are kept as a rule are divided
   */
  public List<CrashState> parts(int number) {
    List<CrashState> parts = new ArrayList<>();
    differences.forEach(line -> parts.add(of(List.of(line))));
    for (LostLines lines : more) {
      for (LostLines part : lines.parts(number)) {
        CrashState state = of(part).simple();
        // What is known line by line is divided by itself.
        if (!state.isProgramOrder()) {
          parts.add(state);
        }
      }
    }
    return parts;
  }

  /** Only the lines that lost stores of some code. */
  public CrashState of(Set<StoreCode> code) {
    return new CrashState(
        differences.stream()
            .filter(line -> line.missing().stream().anyMatch(one -> code.contains(one.code())))
            .collect(ImmutableList.toImmutableList()),
        more.stream().map(lines -> lines.of(code)).collect(ImmutableList.toImmutableList()));
  }

  /** Without the differences of some lines. */
  public CrashState without(Set<Long> locations) {
    return new CrashState(
        differences.stream()
            .filter(line -> !locations.contains(line.location()))
            .collect(ImmutableList.toImmutableList()),
        more.stream()
            .map(lines -> lines.without(locations))
            .collect(ImmutableList.toImmutableList()));
  }

  /** How many lines are not as in program order; where they are not known one by one, or may be. */
  public long size() {
    long[] size = {differences.size()};
    for (LostLines lines : more) {
      lines.visit(0, StoredLines.LAST, (line, content) -> ++size[0] > 0);
    }
    return size[0];
  }

  /** Whether nothing is lost. */
  public boolean isProgramOrder() {
    return differences.isEmpty() && more.stream().allMatch(LostLines::changesNothing);
  }

  /** The stores that did not persist, or parts of them, by line and then in order. */
  public List<InFlightStore> missing() {
    return differences().stream().flatMap(line -> line.missing().stream()).toList();
  }

  /** The numbers of the files in which something may not be as in program order. */
  public IntSortedSet files() {
    IntSortedSet files = new IntAVLTreeSet();
    differences.forEach(line -> files.add(Location.file(line.location())));
    for (LostLines lines : more) {
      lines.lines().files(lines.first(), lines.last(), files);
    }
    return files;
  }

  /**
   * The pages of 4 KiB of a file in which something may not be as in program order.
   *
   * @return the offsets of their first bytes, in order
   */
  public long[] pages(int file) {
    LongAVLTreeSet pages = new LongAVLTreeSet();
    for (LineDifference line : differences) {
      if (Location.file(line.location()) == file) {
        pages.add(Location.offset(ColdLines.page(line.location())));
      }
    }
    LongArrayList sorted = new LongArrayList(pages);
    for (LostLines lines : more) {
      lines
          .lines()
          .pages(
              Location.of(file, 0),
              Location.of(file, LAST_OFFSET),
              page -> {
                boolean isInside =
                    Long.compareUnsigned(page + PAGE - 1, lines.first()) >= 0
                        && Long.compareUnsigned(page, lines.last()) <= 0;
                if (isInside) {
                  sorted.add(Location.offset(page));
                }
              });
    }
    sorted.sort(null);
    return withoutRepeats(sorted);
  }

  private static long[] withoutRepeats(LongArrayList sorted) {
    int kept = 0;
    for (int index = 0; index < sorted.size(); index++) {
      if (index == 0 || sorted.getLong(index) != sorted.getLong(kept - 1)) {
        sorted.set(kept++, sorted.getLong(index));
      }
    }
    sorted.size(kept);
    return sorted.toLongArray();
  }

  /** Gets lines of a file. */
  @FunctionalInterface
  public interface Lines {
    /**
     * A line that may not be as in program order.
     *
     * @param offset of its first byte in the file
     * @param content its 64 bytes
     */
    void take(long offset, byte[] content);
  }

  /**
   * What the lines of a part of a file hold that may not be as in program order.
   *
   * @param from the offset of the first line
   * @param to the offset behind the last one
   */
  public void lines(int file, long from, long to, Lines receiver) {
    long first = Location.of(file, from);
    long last = Location.of(file, to - 1);
    for (int index = firstFrom(first); index < differences.size(); index++) {
      LineDifference line = differences.get(index);
      if (line.location() > last) {
        break;
      }
      receiver.take(Location.offset(line.location()), line.bytes());
    }
    for (LostLines lines : more) {
      lines.visit(
          first,
          last,
          (line, content) -> {
            receiver.take(Location.offset(line.location()), LineWords.toBytes(content));
            return true;
          });
    }
  }

  /** The number of the first difference that is not in front of a location. */
  private int firstFrom(long location) {
    int low = 0;
    int high = differences.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (differences.get(middle).location() < location) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CrashState state
        && state.differences.equals(differences)
        && state.more.equals(more);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return differences + (isFew() ? "" : " and " + more.size() + " parts");
  }
}
