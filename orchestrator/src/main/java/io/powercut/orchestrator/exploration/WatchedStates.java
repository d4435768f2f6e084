// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.image.CrashImage;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The states of one moment on which recovery succeeded while it was watched. They tell of others
 * that it will succeed there, too: those that differ only in what it does not read. For one thread.
 */
public final class WatchedStates {
  private static final Effort EFFORT = Effort.USUAL;

  private final Pruning pruning;
  private final CrashStates states;
  private final LongFunction<ImageLine> names;
  private final List<DecidingRun> runs = new ArrayList<>();
  private Optional<CrashState> checked = Optional.empty();

  /** Whether that is still done, in all moments of a run. Safe for use by several threads. */
  public static final class Trust {
    private final Pruning pruning;

    /**
     * @param reads says which lines recovery reads; nothing if each state is to be judged
     */
    public Trust(Optional<RecoveryReads> reads) {
      this.pruning = Pruning.alwaysWanted(reads);
    }

    /**
     * The states of a moment.
     *
     * @param states that are possible there
     * @param image the program-order image
     */
    public WatchedStates at(CrashStates states, CrashImage image) {
      return new WatchedStates(
          pruning,
          states,
          location ->
              ImageLine.of(
                  image.nameOf(Location.file(location)).map(Path::toString).orElse(""),
                  Location.offset(location)));
    }
  }

  private WatchedStates(Pruning pruning, CrashStates states, LongFunction<ImageLine> names) {
    this.pruning = pruning;
    this.states = states;
    this.names = names;
  }

  /**
   * Whether recovery succeeds on a state that was not judged. One in 16 of those of which that is
   * known is to be judged nevertheless: this is false, and {@link #judged} compares.
   */
  public boolean succeedsOn(CrashState state) {
    checked = Optional.empty();
    if (!isPossible() || !state.isFew() || !decides(state)) {
      return false;
    }
    if (pruning.isChecked()) {
      checked = Optional.of(state);
      return false;
    }
    return true;
  }

  private boolean isPossible() {
    return pruning.reads().isPresent() && CompleteSearch.isPossible(states);
  }

  /** Whether recovery does the same on both, for one of them was judged and reads no difference. */
  public boolean areAlike(CrashState one, CrashState other) {
    return isPossible()
        && one.isFew()
        && other.isFew()
        && runs.stream().anyMatch(run -> run.decides(one) && run.decides(other));
  }

  /** What the run that judges the next state is to find out; nothing if it is not worth it. */
  public Optional<ReadsWatch> watch() {
    return recovery().flatMap(reads -> reads.besideJudging(asked(), EFFORT));
  }

  private Optional<RecoveryReads> recovery() {
    return isPossible() ? pruning.reads() : Optional.empty();
  }

  private Map<ImageLine, Long> asked() {
    return UnreadLines.allOpen(states, names);
  }

  /**
   * A state was judged. If nobody watched and nothing decides it, recovery runs once more for its
   * reads.
   *
   * @param watch of the run that judged it
   * @param kind the verdict's; an inconclusive one says nothing
   * @param images gives private copies of the image
   * @return whether it is as it was known to be, if it was
   */
  public boolean judged(
      CrashState state, Optional<ReadsWatch> watch, Verdict.Kind kind, JudgedImages images)
      throws IOException {
    boolean isRefuted = kind.isFinding() && checked.filter(state::equals).isPresent();
    if (isRefuted) {
      pruning.refute();
    } else if (kind == Verdict.Kind.CONSISTENT) {
      Optional<ImageReads> reads = watch.flatMap(ReadsWatch::answer);
      if (watch.filter(ReadsWatch::isAsked).isEmpty() && !decides(state)) {
        reads = readsOn(images);
      }
      reads.ifPresent(found -> succeeded(state, found));
    }
    return !isRefuted;
  }

  private Optional<ImageReads> readsOn(JudgedImages images) throws IOException {
    return recovery().isPresent() ? recovery().get().on(images, asked(), EFFORT) : Optional.empty();
  }

  private boolean decides(CrashState state) {
    return runs.stream().anyMatch(run -> run.decides(state));
  }

  /** Recovery succeeded on a state, where it read this. */
  void succeeded(CrashState state, ImageReads reads) {
    if (state.isFew()) {
      runs.add(DecidingRun.of(state, CompleteSearch.Reads.of(reads, names), states.lines()));
    }
  }
}
