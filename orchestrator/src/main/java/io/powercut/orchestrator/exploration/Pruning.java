// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.reads.RecoveryReads;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether states that differ only in lines that recovery does not read are still taken for one.
 * That assumes a recovery that does the same on the same data, so some of these states are judged
 * all the same. And it has to pay: what it costs and what it saves is counted. Safe for use by
 * several threads.
 */
final class Pruning {
  /** One in so many of them is judged. */
  private static final int CHECKED = 16;

  /** After so many watched runs it has to have paid. */
  private static final int FIRST_RUNS = 32;

  /** The same where it also shows moments of which all states are decided. */
  private static final int FIRST_RUNS_THAT_DECIDE = 256;

  /** Of a recovery. */
  private static final int PERCENT = 100;

  /** How much longer a watched recovery takes (benchmarks/states/README.md). */
  private static final int WATCHING = 20;

  private final Optional<RecoveryReads> reads;
  private final int firstRuns;
  private final AtomicInteger pruned = new AtomicInteger();
  private final AtomicInteger watched = new AtomicInteger();
  private final AtomicInteger saved = new AtomicInteger();
  private final AtomicBoolean isRefuted;
  private volatile boolean isTooDear;

  /**
   * Both ways to take states for one: what refutes the one refutes the other.
   *
   * @param toSkip where it only skips states: it ends when it costs more than it saves
   * @param toSearch where all states of a moment are searched for: there it is wanted for itself
   */
  record Both(Pruning toSkip, Pruning toSearch) {
    static Both of(StateOptions options) {
      AtomicBoolean isRefuted = new AtomicBoolean();
      return new Both(
          new Pruning(options.reads(), firstRuns(options), isRefuted),
          new Pruning(options.reads(), Integer.MAX_VALUE, isRefuted));
    }

    private static int firstRuns(StateOptions options) {
      return options.searches().isWanted() ? FIRST_RUNS_THAT_DECIDE : FIRST_RUNS;
    }

    /** What holds at a moment. */
    Pruning at(boolean isSearched) {
      return isSearched ? toSearch : toSkip;
    }
  }

  /** Where it need not pay, since what recovery reads is wanted for itself. */
  static Pruning alwaysWanted(Optional<RecoveryReads> reads) {
    return new Pruning(reads, Integer.MAX_VALUE, new AtomicBoolean());
  }

  /**
   * @param reads says which lines recovery reads; nothing if all states are judged
   * @param firstRuns after so many it ends when it costs more than it saves
   * @param isRefuted becomes true when recovery turns out not to do the same on the same data
   */
  private Pruning(Optional<RecoveryReads> reads, int firstRuns, AtomicBoolean isRefuted) {
    this.reads = reads;
    this.firstRuns = firstRuns;
    this.isRefuted = isRefuted;
  }

  /** What says which lines recovery reads; nothing if all states are judged from now on. */
  Optional<RecoveryReads> reads() {
    return isRefuted.get() || isTooDear ? Optional.empty() : reads;
  }

  /** Whether it need not pay yet. */
  boolean isWantedForItself() {
    return firstRuns > FIRST_RUNS && watched.get() < firstRuns;
  }

  /** Counts a state that is taken for another one; whether it is to be judged itself, too. */
  boolean isChecked() {
    return pruned.getAndIncrement() % CHECKED == 0;
  }

  /** Such a state was judged unlike the one that it was taken for. */
  void refute() {
    isRefuted.set(true);
  }

  /**
   * A recovery was watched that would have run in any case.
   *
   * @param isKnown whether that showed what it reads; if not, it ran again unwatched
   */
  void watched(boolean isKnown) {
    saved.addAndGet(isKnown ? -WATCHING : -WATCHING - PERCENT);
    if (watched.incrementAndGet() >= firstRuns && saved.get() < 0) {
      isTooDear = true;
    }
  }

  /** A recovery ran that would not have run otherwise. */
  void spent() {
    saved.addAndGet(-PERCENT);
  }

  /** A recovery did not run that would have run otherwise. */
  void spared() {
    saved.addAndGet(PERCENT);
  }
}
