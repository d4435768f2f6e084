// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.oracle.reads.Conditions;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PartialContents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The states of one moment, as far as some runs of recovery can tell them apart: all combinations
 * of what lines may hold in the bytes on which a run depends.
 */
final class StateSpace {
  private static final int MOST_CONTENTS = 1 << 16;

  private final List<Place> places;
  private final boolean isWhole;

  /**
   * A line, in the order in which recovery loads from them.
   *
   * @param bytes that runs depend on
   * @param contents that it may have there
   */
  private record Place(InFlightLine line, long bytes, long turn, List<LineDifference> contents) {}

  private StateSpace(List<Place> places, boolean isWhole) {
    this.places = places;
    this.isWhole = isWhole;
  }

  /**
   * @param lines with something in flight
   * @return nothing if it is not known well enough, or too large
   */
  static Optional<StateSpace> of(List<InFlightLine> lines, List<DecidingRun> runs) {
    List<Place> places = new ArrayList<>();
    boolean isWhole = true;
    for (InFlightLine line : lines) {
      long bytes = 0;
      long turn = 0;
      for (DecidingRun run : runs) {
        turn = bytes == 0 ? run.turn(line) : turn;
        bytes |= run.relevant(line);
      }
      isWhole &= bytes == line.open();
      if (bytes == 0) {
        continue;
      }
      if (line.forgotten() > 0) {
        return Optional.empty(); // It may hold what is not known any more.
      }
      PartialContents contents = line.contents(bytes);
      if (contents.count() > MOST_CONTENTS) {
        return Optional.empty();
      }
      List<LineDifference> all = new ArrayList<>();
      for (long number = 0; number < contents.count(); number++) {
        all.add(contents.get(number));
      }
      places.add(new Place(line, bytes, turn, all));
    }
    places.sort(Comparator.comparingLong(Place::turn));
    return Optional.of(new StateSpace(places, isWhole));
  }

  /** Whether no other bytes may be lost than those on which some run depends. */
  boolean isWhole() {
    return isWhole;
  }

  /**
   * Looks for a state that none of the runs decides.
   *
   * @param runs those for which this was made
   * @param visits how many contents of lines are tried at most
   */
  Search search(List<DecidingRun> runs, int visits) {
    return new Search(runs, visits);
  }

  /** A search through all states. */
  final class Search {
    private final List<Candidate> candidates = new ArrayList<>();
    private final long[][][] words = new long[places.size()][][];
    private final int[] chosen = new int[places.size()];
    private final int most;
    private int visits;
    private boolean isGivenUp;
    private Optional<CrashState> open = Optional.empty();
    private final Random random = new Random(0);
    private int alike;
    private Optional<CompleteSearch.Alike> sample = Optional.empty();

    private Search(List<DecidingRun> runs, int most) {
      this.most = most;
      for (int place = 0; place < words.length; place++) {
        words[place] =
            places.get(place).contents().stream().map(LineDifference::words).toArray(long[][]::new);
      }
      runs.forEach(run -> candidates.add(new Candidate(run)));
      isDecided(0);
    }

    /** A run, as far as it agrees with what is chosen. */
    private final class Candidate {
      private final DecidingRun run;
      private final long[][] content = new long[places.size()][];
      private final Conditions.Evaluation evaluation;

      /** All that it depends on is chosen when so many lines are. */
      private final int end;

      /** From how many chosen lines on it does not agree any more. */
      private int refutedAt = Integer.MAX_VALUE;

      Candidate(DecidingRun run) {
        this.run = run;
        Map<Long, Integer> numbers = new HashMap<>();
        Map<Long, LineDifference> differences = run.differences();
        for (int place = 0; place < places.size(); place++) {
          InFlightLine line = places.get(place).line();
          numbers.put(line.location(), place);
          LineDifference there = differences.get(line.location());
          content[place] = (there == null ? line.programOrder() : there).words();
        }
        this.evaluation =
            run.conditions()
                .evaluation(
                    line -> {
                      Long location = run.names().get(line);
                      return location == null ? -1 : numbers.getOrDefault(location, -1);
                    },
                    places.size());
        int last = 0;
        for (int place = 0; place < places.size(); place++) {
          boolean isNeeded = run.read(places.get(place).line()) != 0 || evaluation.needs(place);
          last = isNeeded ? place + 1 : last;
        }
        this.end = last;
      }

      void choose(int place, int number) {
        if (refutedAt < place + 1) {
          return;
        }
        LineDifference other = places.get(place).contents().get(number);
        boolean agrees =
            other.isAlike(content[place], run.read(places.get(place).line()))
                && evaluation.put(place, words[place][number]);
        refutedAt = agrees ? Integer.MAX_VALUE : place + 1;
      }
    }

    /** Whether all states are that hold in the first lines what is chosen for them. */
    private boolean isDecided(int lines) {
      for (Candidate candidate : candidates) {
        if (candidate.refutedAt > lines && candidate.end <= lines) {
          addSample(candidate, lines);
          return true;
        }
      }
      if (lines == places.size()) {
        open = Optional.of(state(lines));
        return false;
      }
      for (int number = 0; number < words[lines].length; number++) {
        if (visits++ == most) {
          isGivenUp = true;
          return false;
        }
        chosen[lines] = number;
        for (Candidate candidate : candidates) {
          candidate.choose(lines, number);
        }
        if (!isDecided(lines + 1)) {
          return false;
        }
      }
      return true;
    }

    private CrashState state(int count) {
      List<LineDifference> contents = new ArrayList<>();
      for (int place = 0; place < count; place++) {
        contents.add(places.get(place).contents().get(chosen[place]));
      }
      return CrashState.of(contents);
    }

    /** Each of them is kept as likely as any other (Vitter's algorithm R). */
    private void addSample(Candidate candidate, int count) {
      if (candidate.run.conditions().isEmpty() || random.nextInt(++alike) > 0) {
        return;
      }
      CrashState state = state(count);
      if (!state.equals(candidate.run.state())) {
        sample = Optional.of(new CompleteSearch.Alike(state, candidate.run.state()));
      }
    }

    /** A state that no run decides. */
    Optional<CrashState> open() {
      return open;
    }

    /** A state by chance that a run decides though it may differ in what that one loaded. */
    Optional<CompleteSearch.Alike> sample() {
      return sample;
    }

    /** How many contents were tried. */
    int visits() {
      return visits;
    }

    /** Whether they were too many. */
    boolean isGivenUp() {
      return isGivenUp;
    }
  }
}
