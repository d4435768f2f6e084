// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import com.google.common.base.Suppliers;
import com.google.common.math.LongMath;
import io.powercut.oracle.reads.Conditions;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.LineRead;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Decides every state that a power cut may leave at one moment, by runs of recovery on those that
 * it can tell apart: the lazy exploration of Jaaru (Gorjiara, Xu and Demsky, ASPLOS 2021, section
 * 3), by line instead of by load.
 *
 * <p>A run decides all states that have in common with its own the bytes that it reads, and on
 * which the conditions hold that it found. As long as there is a state that no run decides,
 * recovery runs on that one. Of a line only the contents count that differ in bytes on which some
 * run depends.
 */
final class CompleteSearch {
  private static final CrashState PROGRAM_ORDER = CrashState.of(List.of());

  /** Contents of lines, tried one after the other. */
  private static final int MOST_VISITS = 1 << 22;

  /** Lines that recovery reads in one state are mostly read in the others, but not always. */
  private static final int OVERESTIMATED = 4;

  private final CrashStates states;
  private final Supplier<List<InFlightLine>> lines;
  private final Recovery recovery;
  private final List<DecidingRun> known = new ArrayList<>();
  private int runs;
  private int visits = MOST_VISITS;
  private boolean isThorough;
  private final Supplier<List<DecidingRun>> others;
  private Optional<Alike> sample = Optional.empty();

  /** What recovery reads in a state, by the locations of lines; more if that is not sure. */
  @FunctionalInterface
  interface Reads {
    LineRead of(long location);

    /**
     * What is read of an image.
     *
     * @param names of the lines at locations
     */
    static Reads of(ImageReads found, LongFunction<ImageLine> names) {
      return new Reads() {
        @Override
        public LineRead of(long location) {
          ImageLine line = names.apply(location);
          return found.of(line.path(), line.offset());
        }

        @Override
        public Conditions conditions() {
          return found.conditions();
        }

        @Override
        public boolean isCoarse() {
          return found.isCoarse();
        }

        @Override
        public ImageLine line(long location) {
          return names.apply(location);
        }
      };
    }

    /** What else it depends on. */
    default Conditions conditions() {
      return Conditions.NONE;
    }

    /** Whether with more effort less might count as read. */
    default boolean isCoarse() {
      return false;
    }

    /** What conditions call the line at a location. */
    default ImageLine line(long location) {
      throw new IllegalStateException("there are no conditions");
    }
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
     * @param isThorough whether it runs although something is known, and with more effort
     * @return nothing if the state could not be judged
     */
    Optional<Reads> run(CrashState state, boolean isThorough);

    /** Of these states it may be known what recovery reads. */
    default List<CrashState> judged() {
      return List.of();
    }
  }

  /**
   * Two states on which recovery does the same, though they differ in what it loads.
   *
   * @param judged on which it ran
   */
  record Alike(CrashState state, CrashState judged) {}

  /**
   * @param runs how often recovery may run
   */
  CompleteSearch(CrashStates states, Recovery recovery, int runs) {
    this.states = states;
    this.lines =
        Suppliers.memoize(() -> states.lines().stream().filter(line -> line.open() != 0).toList());
    this.recovery = recovery;
    this.others = Suppliers.memoize(this::findOthers);
    this.runs = runs;
  }

  /** Whether it is tried there. */
  static boolean isPossible(CrashStates states) {
    return states.isFew();
  }

  /** Whether every state is decided now. */
  boolean decidesAll() {
    if (!isPossible(states) || !decidesProgramOrder()) {
      return false;
    }
    while (true) {
      Optional<StateSpace> space = StateSpace.of(lines.get(), known);
      if (space.isEmpty()) {
        return false;
      }
      StateSpace.Search search = space.get().search(known, visits);
      Optional<CrashState> open = search.open();
      visits -= search.visits();
      if (search.isGivenUp()) {
        return false;
      }
      if (open.isEmpty()) {
        sample = search.sample();
        return true;
      }
      if (!decides(open.get(), space.get().isWhole())) {
        return false;
      }
    }
  }

  /** Two states that were taken for one because of conditions alone, if there are such. */
  Optional<Alike> sample() {
    return sample;
  }

  /** No recovery runs where the search hardly ends. */
  private boolean decidesProgramOrder() {
    Optional<Reads> reads = reads(PROGRAM_ORDER, lines.get().isEmpty());
    if (!add(PROGRAM_ORDER, reads)) {
      return false;
    }
    boolean isCoarse = reads.filter(Reads::isCoarse).isPresent();
    if (runs > 0 && isCoarse && (isForgottenRead() || isBeyond(runs))) {
      isThorough = true;
      known.clear();
      if (!add(PROGRAM_ORDER, reads(PROGRAM_ORDER, false))) {
        return false;
      }
    }
    // Without runs it may still be that all states were judged before.
    return !isForgottenRead() && (runs == 0 ? !isBeyond(MOST_VISITS) : isWithinReach());
  }

  /** Whether recovery reads what is not known any more: then no search ends. */
  private boolean isForgottenRead() {
    return lines.get().stream()
        .anyMatch(line -> line.forgotten() > 0 && known.get(0).relevant(line) != 0);
  }

  /** Without conditions, each state that differs in one line only needs a run. */
  private boolean isWithinReach() {
    if (isBeyond((long) runs * OVERESTIMATED)) {
      return false;
    }
    long next = 0;
    for (InFlightLine line : lines.get()) {
      long read = known.get(0).read(line);
      next += read == 0 ? 0 : line.contents(read).count() - 1;
    }
    return next <= runs || !known.get(0).conditions().isEmpty();
  }

  /**
   * Whether more than so many states differ from program order in what counts as read there. Lines
   * with many stores come last: to count what they may hold takes longest, and mostly is not
   * needed.
   */
  private boolean isBeyond(long most) {
    List<InFlightLine> byStores = new ArrayList<>(lines.get());
    byStores.sort(Comparator.comparingInt(line -> line.stores().size()));
    long combinations = 1;
    for (InFlightLine line : byStores) {
      long read = known.get(0).read(line);
      if (read != 0) {
        combinations = LongMath.saturatedMultiply(combinations, line.contents(read).count());
      }
      if (combinations - 1 > most) {
        return true;
      }
    }
    return false;
  }

  private boolean decides(CrashState state, boolean whole) {
    Optional<DecidingRun> other =
        others.get().stream().filter(run -> !known.contains(run) && run.decides(state)).findFirst();
    if (other.isPresent()) {
      return known.add(other.get());
    }
    return add(state, reads(state, whole));
  }

  private Optional<Reads> reads(CrashState state, boolean whole) {
    Optional<Reads> reads =
        isThorough && state.isProgramOrder() ? Optional.empty() : recovery.known(state, whole);
    if (reads.isEmpty() && runs > 0) {
      runs--;
      reads = recovery.run(state, isThorough);
    }
    return reads;
  }

  /** Runs for other purposes. */
  private List<DecidingRun> findOthers() {
    List<DecidingRun> found = new ArrayList<>();
    for (CrashState state : recovery.judged()) {
      recovery
          .known(state, false)
          .ifPresent(reads -> found.add(DecidingRun.of(state, reads, lines.get())));
    }
    return found;
  }

  private boolean add(CrashState state, Optional<Reads> reads) {
    reads.ifPresent(those -> known.add(DecidingRun.of(state, those, lines.get())));
    return reads.isPresent();
  }
}
