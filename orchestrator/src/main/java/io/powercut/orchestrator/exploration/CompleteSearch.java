// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Decides every state that a power cut may leave at one moment, by a depth-first search over those
 * that recovery can tell apart: the lazy exploration of Jaaru (Gorjiara, Xu and Demsky, ASPLOS
 * 2021, section 3), by line instead of by load.
 *
 * <p>A run decides all states that have in common with its own what it reads. For each line that it
 * reads and that was not chosen yet, the others differ from it in that line first, in the order of
 * locations: so each state is decided once.
 */
final class CompleteSearch {
  /** With more lines in flight it is not tried. */
  static final int MOST_LINES = 64;

  private static final int MOST_STATES = 4096;

  private final CrashStates states;
  private final Recovery recovery;
  private int runs;
  private int visits = MOST_STATES;

  /** Judges states. */
  interface Recovery {
    /**
     * What recovery reads in a state, by the locations of lines; more if that is not sure.
     *
     * @param whole whether that does not matter
     * @return nothing if it has to run to say so, or to judge the state
     */
    Optional<LongPredicate> known(CrashState state, boolean whole);

    /**
     * Runs it.
     *
     * @return nothing if the state could not be judged
     */
    Optional<LongPredicate> run(CrashState state);
  }

  /**
   * @param runs how often recovery may run
   */
  CompleteSearch(CrashStates states, Recovery recovery, int runs) {
    this.states = states;
    this.recovery = recovery;
    this.runs = runs;
  }

  /** Whether it is tried there. */
  static boolean isPossible(CrashStates states) {
    return states.size() <= MOST_LINES && states.isComplete();
  }

  /** Whether every state is decided now. */
  boolean decidesAll() {
    return isPossible(states) && decides(new TreeMap<>());
  }

  /**
   * Whether all states are decided that hold in some lines what was chosen for them.
   *
   * @param chosen by location; nothing for what the line holds in program order
   */
  private boolean decides(SortedMap<Long, Optional<LineDifference>> chosen) {
    CrashState state = state(chosen);
    List<InFlightLine> free =
        states.lines().stream().filter(line -> !chosen.containsKey(line.location())).toList();
    Optional<LongPredicate> reads = reads(state, free.isEmpty());
    if (reads.isEmpty()) {
      return false;
    }
    List<InFlightLine> read =
        free.stream().filter(line -> reads.get().test(line.location())).toList();
    return isWithinReach(chosen, read) && decidesOthers(chosen, read);
  }

  private static CrashState state(Map<Long, Optional<LineDifference>> chosen) {
    return CrashState.of(chosen.values().stream().flatMap(Optional::stream).toList());
  }

  private Optional<LongPredicate> reads(CrashState state, boolean whole) {
    Optional<LongPredicate> known = recovery.known(state, whole);
    if (known.isPresent() || runs == 0) {
      return known;
    }
    runs--;
    return recovery.run(state);
  }

  /** The states that differ in lines that were read. */
  private boolean decidesOthers(
      SortedMap<Long, Optional<LineDifference>> chosen, List<InFlightLine> read) {
    SortedMap<Long, Optional<LineDifference>> next = new TreeMap<>(chosen);
    for (InFlightLine line : read) {
      for (long content = 0; content < line.contents(); content++) {
        Optional<LineDifference> other = line.content(content);
        if (other.isPresent()) {
          next.put(line.location(), other);
          if (!decides(next)) {
            return false;
          }
        }
      }
      next.put(line.location(), Optional.empty());
    }
    return true;
  }

  /** So that no recovery runs for a search that cannot end: each of the next states needs one. */
  private boolean isWithinReach(
      SortedMap<Long, Optional<LineDifference>> chosen, List<InFlightLine> read) {
    int unknown = 0;
    SortedMap<Long, Optional<LineDifference>> next = new TreeMap<>(chosen);
    for (InFlightLine line : read) {
      for (long content = 0; content < line.contents(); content++) {
        Optional<LineDifference> other = line.content(content);
        if (other.isEmpty()) {
          continue;
        }
        if (--visits < 0) {
          return false;
        }
        next.put(line.location(), other);
        boolean isLast = next.size() == states.size();
        if (recovery.known(state(next), isLast).isEmpty() && ++unknown > runs) {
          return false;
        }
      }
      next.put(line.location(), Optional.empty());
    }
    return true;
  }
}
