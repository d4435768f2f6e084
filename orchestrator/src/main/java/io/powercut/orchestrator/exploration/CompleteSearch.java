// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import com.google.common.base.Suppliers;
import com.google.common.math.LongMath;
import io.powercut.oracle.reads.LineRead;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PartialContents;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides every state that a power cut may leave at one moment, by a depth-first search over those
 * that recovery can tell apart: the lazy exploration of Jaaru (Gorjiara, Xu and Demsky, ASPLOS
 * 2021, section 3), by line instead of by load.
 *
 * <p>A run decides all states that have in common with its own the bytes that it reads. The others
 * differ from it in some line first, in the order in which recovery reads them: so each state is
 * decided once. Of a line only the contents count that differ in the bytes that are read.
 */
final class CompleteSearch {
  private static final int MOST_STATES = 4096;

  /** Lines that recovery reads in one state are mostly read in the others, but not always. */
  private static final int OVERESTIMATED = 4;

  private final CrashStates states;
  private final Supplier<List<InFlightLine>> lines;
  private final Recovery recovery;
  private int runs;
  private int visits = MOST_STATES;

  /** What recovery reads in a state, by the locations of lines; more if that is not sure. */
  @FunctionalInterface
  interface Reads {
    LineRead of(long location);
  }

  /** Judges states. */
  interface Recovery {
    /**
     * What recovery reads in a state.
     *
     * @param whole whether that does not matter
     * @return nothing if it has to run to say so, or to judge the state
     */
    Optional<Reads> known(CrashState state, boolean whole);

    /**
     * Runs it.
     *
     * @return nothing if the state could not be judged
     */
    Optional<Reads> run(CrashState state);
  }

  /**
   * What was chosen for a line.
   *
   * @param bytes of which it was chosen what they hold: a bit for each
   * @param content that holds it
   */
  private record Choice(long bytes, LineDifference content) {}

  /**
   * A line that was read.
   *
   * @param read all bytes of it that were read by now
   */
  private record Branch(InFlightLine line, long read, long turn, Choice present) {}

  /**
   * @param runs how often recovery may run
   */
  CompleteSearch(CrashStates states, Recovery recovery, int runs) {
    this.states = states;
    this.lines =
        Suppliers.memoize(() -> states.lines().stream().filter(line -> line.open() != 0).toList());
    this.recovery = recovery;
    this.runs = runs;
  }

  /** Whether it is tried there. */
  static boolean isPossible(CrashStates states) {
    return states.isFew();
  }

  /** Whether every state is decided now. */
  boolean decidesAll() {
    return isPossible(states) && decides(Map.of());
  }

  /** Whether all states are decided that hold in some lines what was chosen for them. */
  private boolean decides(Map<Long, Choice> chosen) {
    Optional<Reads> reads = reads(state(chosen), isWhole(chosen));
    if (reads.isEmpty()) {
      return false;
    }
    List<Branch> branches = branches(chosen, reads.get());
    if (branches.stream().anyMatch(branch -> branch.line().forgotten() > 0)) {
      return false; // It may hold what is not known any more.
    }
    return isWithinReach(chosen, branches) && decidesOthers(chosen, branches);
  }

  /** Whether nothing is left to choose. */
  private boolean isWhole(Map<Long, Choice> chosen) {
    return lines.get().stream()
        .allMatch(
            line -> {
              Choice choice = chosen.get(line.location());
              return (line.open() & ~(choice == null ? 0 : choice.bytes())) == 0;
            });
  }

  private static CrashState state(Map<Long, Choice> chosen) {
    return CrashState.of(contents(chosen.values()));
  }

  private static List<LineDifference> contents(Collection<Choice> choices) {
    return choices.stream().map(Choice::content).toList();
  }

  private Optional<Reads> reads(CrashState state, boolean whole) {
    Optional<Reads> known = recovery.known(state, whole);
    if (known.isPresent() || runs == 0) {
      return known;
    }
    runs--;
    return recovery.run(state);
  }

  /** The lines of which more was read than was chosen, in the order in which they were read. */
  private List<Branch> branches(Map<Long, Choice> chosen, Reads reads) {
    List<Branch> branches = new ArrayList<>();
    for (InFlightLine line : lines.get()) {
      Choice present =
          Objects.requireNonNullElseGet(
              chosen.get(line.location()), () -> new Choice(0, line.programOrder()));
      LineRead read = reads.of(line.location());
      long all = present.bytes() | (read.bytes() & line.open());
      if (all != present.bytes()) {
        branches.add(new Branch(line, all, read.turn(), present));
      }
    }
    branches.sort(Comparator.comparingLong(Branch::turn));
    return branches;
  }

  /** The states that differ in lines that were read. */
  private boolean decidesOthers(Map<Long, Choice> chosen, List<Branch> branches) {
    Map<Long, Choice> next = new LinkedHashMap<>(chosen);
    for (Branch branch : branches) {
      long location = branch.line().location();
      for (Choice other : others(branch)) {
        next.put(location, other);
        if (!decides(next)) {
          return false;
        }
      }
      next.put(location, new Choice(branch.read(), branch.present().content()));
    }
    return true;
  }

  /** What else the line may hold in the bytes that were read. */
  private static List<Choice> others(Branch branch) {
    LineDifference present = branch.present().content();
    PartialContents contents = branch.line().contents(branch.read());
    List<Choice> others = new ArrayList<>();
    for (long number = 0; number < contents.count(); number++) {
      LineDifference content = contents.get(number);
      if (content.isAlike(present, branch.present().bytes())
          && !content.isAlike(present, branch.read())) {
        others.add(new Choice(branch.read(), content));
      }
    }
    return others;
  }

  /**
   * So that no recovery runs for a search that hardly ends: each of the next states needs one, and
   * mostly so do their combinations.
   */
  private boolean isWithinReach(Map<Long, Choice> chosen, List<Branch> branches) {
    int unknown = 0;
    long combinations = 1;
    Map<Long, Choice> next = new LinkedHashMap<>(chosen);
    for (Branch branch : branches) {
      if (branch.line().contents(branch.read()).count() > visits) {
        return false;
      }
      List<Choice> others = others(branch);
      combinations = LongMath.saturatedMultiply(combinations, 1 + others.size());
      int known = 0;
      for (Choice other : others) {
        if (--visits < 0) {
          return false;
        }
        next.put(branch.line().location(), other);
        known += recovery.known(state(next), isWhole(next)).isPresent() ? 1 : 0;
      }
      unknown += others.size() - known;
      if (unknown > runs || (unknown > 0 && combinations - 1 > (long) runs * OVERESTIMATED)) {
        return false;
      }
      next.put(branch.line().location(), new Choice(branch.read(), branch.present().content()));
    }
    return true;
  }
}
