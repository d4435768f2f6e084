// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.ranges.LineWords;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * Crash states as file systems leave them where a range of a file was made to read as zero: they
 * take whole blocks away. Of a block, all that such a call zeroed persists, or nothing of it.
 */
public final class WholeBlocks {
  /** In bytes; what a file system takes away at a time. */
  static final int BLOCK = 4096;

  private static final long ALL_BYTES = -1;

  private final CrashStates states;

  /** What one call zeroed in one block. */
  private record Zeroed(long block, long ordinal) {
    Optional<InFlightStore> in(List<InFlightStore> stores) {
      return stores.stream().filter(store -> store.ordinal() == ordinal).findFirst();
    }
  }

  /**
   * What a line of a block holds.
   *
   * @param bytes that are to stay
   * @param isLost whether the line may hold this without what was zeroed
   * @param isThere whether it may with all of what was zeroed
   * @param mayBeLost the same, as far as the bytes go that are to stay
   * @param mayBeThere likewise
   */
  private record Part(
      LineDifference holds,
      long bytes,
      boolean isLost,
      boolean isThere,
      boolean mayBeLost,
      boolean mayBeThere) {
    static Part of(LineDifference holds, long bytes, Zeroed zeroed) {
      InFlightLine line = holds.line();
      long[] content = holds.words();
      return new Part(
          holds,
          bytes,
          line.holdingBefore(zeroed.ordinal(), ALL_BYTES, content).isPresent(),
          zeroed.in(holds.missing()).isEmpty(),
          line.holdingBefore(zeroed.ordinal(), bytes, content).isPresent(),
          zeroed.in(line.holding(bytes, content).missing()).isEmpty());
    }

    /** The line with all of what was zeroed, or none of it. */
    LineDifference changed(Zeroed zeroed, boolean lost) {
      InFlightLine line = holds.line();
      return lost
          ? line.holdingBefore(zeroed.ordinal(), bytes, holds.words()).orElseThrow()
          : line.holding(bytes, holds.words());
    }
  }

  /**
   * @param states everything that is possible at one point, line by line
   */
  public WholeBlocks(CrashStates states) {
    this.states = states;
  }

  /**
   * A state in which no block is torn. Where one is, it becomes like the fewer of its lines: it is
   * lost as a whole where one line was, and there as a whole where only one line was.
   *
   * @return the state itself if no block is torn, or if its lines are not known one by one
   */
  public CrashState whole(CrashState state) {
    return whole(state, location -> 0).orElseThrow();
  }

  /**
   * A state in which no block is torn, and that has some bytes in common with another one.
   *
   * @param bytes by the location of a line, those that are to be the same: a bit for each
   * @return nothing if there is none, since those bytes tear a block
   */
  public Optional<CrashState> whole(CrashState state, LongUnaryOperator bytes) {
    CrashState whole = state;
    for (Zeroed zeroed : zeroed(state)) {
      List<Part> parts = parts(zeroed, whole, bytes);
      boolean mayBeLost = parts.stream().allMatch(Part::mayBeLost);
      boolean mayBeThere = parts.stream().allMatch(Part::mayBeThere);
      if (!mayBeLost && !mayBeThere) {
        return Optional.empty();
      }
      boolean isTorn =
          !parts.stream().allMatch(Part::isLost) && !parts.stream().allMatch(Part::isThere);
      if (isTorn) {
        whole = changed(whole, parts, zeroed, mayBeLost && (!mayBeThere || isMostlyThere(parts)));
      }
    }
    return Optional.of(whole);
  }

  /** The locations of the lines that persist early with a line: those of its block, if need be. */
  static Set<Long> with(LineDifference line) {
    if (line.missing().stream().noneMatch(InFlightStore::isZeroed)) {
      return Set.of(line.location());
    }
    Set<Long> lines = new HashSet<>();
    for (int place = 0; place < BLOCK; place += LineWords.LINE) {
      lines.add(block(line.location()) + place);
    }
    return lines;
  }

  static long block(long location) {
    return location & -BLOCK;
  }

  private static boolean isMostlyThere(List<Part> parts) {
    long lost = parts.stream().filter(part -> !part.isThere()).count();
    long there = parts.stream().filter(part -> !part.isLost()).count();
    return lost <= there;
  }

  /** What some line of a state lost of what calls zeroed; the last ones first. */
  private static List<Zeroed> zeroed(CrashState state) {
    if (!state.isFew()) {
      return List.of();
    }
    Set<Zeroed> found = new HashSet<>();
    for (LineDifference line : state.differences()) {
      for (InFlightStore store : line.missing()) {
        if (store.isZeroed()) {
          found.add(new Zeroed(block(line.location()), store.ordinal()));
        }
      }
    }
    List<Zeroed> sorted = new ArrayList<>(found);
    sorted.sort((one, other) -> Long.compare(other.ordinal(), one.ordinal()));
    return sorted;
  }

  /** Lines of which not everything is known can be taken for lost and for there: they stay. */
  private List<Part> parts(Zeroed zeroed, CrashState state, LongUnaryOperator bytes) {
    Map<Long, LineDifference> differences = byLocation(state);
    List<Part> parts = new ArrayList<>();
    for (int place = 0; place < BLOCK; place += LineWords.LINE) {
      states
          .line(zeroed.block() + place)
          .filter(line -> line.isKnown() && zeroed.in(line.stores()).isPresent())
          .map(line -> differences.getOrDefault(line.location(), line.programOrder()))
          .map(holds -> Part.of(holds, bytes.applyAsLong(holds.location()), zeroed))
          .ifPresent(parts::add);
    }
    return parts;
  }

  private static Map<Long, LineDifference> byLocation(CrashState state) {
    Map<Long, LineDifference> differences = new TreeMap<>();
    state.differences().forEach(line -> differences.put(line.location(), line));
    return differences;
  }

  /** The state with a block that is lost, or there. */
  private static CrashState changed(
      CrashState state, List<Part> parts, Zeroed zeroed, boolean lost) {
    Map<Long, LineDifference> differences = byLocation(state);
    for (Part part : parts) {
      if (!(lost ? part.isLost() : part.isThere())) {
        LineDifference line = part.changed(zeroed, lost);
        differences.remove(line.location());
        if (!line.changesNothing()) {
          differences.put(line.location(), line);
        }
      }
    }
    return CrashState.of(differences.values());
  }
}
