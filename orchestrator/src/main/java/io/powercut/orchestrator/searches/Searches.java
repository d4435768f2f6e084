// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.searches;

import io.powercut.orchestrator.reads.KnownReads;
import io.powercut.orchestrator.reads.StoreReads;
import io.powercut.report.evidence.Occurrence;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What all passes over a trace share that search for undecided states: how long that may take,
 * where it is worth it, and what recovery read. Safe for use by several threads.
 */
public final class Searches {
  /** So many times the time counts that decided nothing. */
  private static final int IN_VAIN = 3;

  private final boolean isWanted;
  private final int mostRuns;
  private final SearchTime time;
  private final SearchYield yield = new SearchYield();
  private final KnownReads reads = new KnownReads();
  private final StoreReads stores = new StoreReads();

  /**
   * @param isWanted whether there are any
   * @param mostRuns how many more recoveries may run at one failure point to decide all its states;
   *     at least 0
   * @param time how long they may run together; nothing for a time that depends on how long the run
   *     is
   */
  public Searches(boolean isWanted, int mostRuns, Optional<Duration> time) {
    this.isWanted = isWanted && mostRuns > 0;
    this.mostRuns = mostRuns;
    this.time = new SearchTime(time);
  }

  /** There are none. */
  public static Searches none() {
    return new Searches(false, 0, Optional.empty());
  }

  /**
   * What tells how long the run is.
   *
   * @param reached gives how often failure points were reached up to now
   */
  public void follow(LongSupplier reached) {
    time.follow(reached);
  }

  /** Whether there are any. */
  public boolean isWanted() {
    return isWanted;
  }

  /** Whether recoveries may run to decide all states of an occurrence. */
  public boolean isOpen(Occurrence occurrence) {
    return isWanted && time.isLeft() && yield.isWorthIt(occurrence);
  }

  /** How many, where it is open. */
  public int runs() {
    return time.share(mostRuns);
  }

  /** One has ended. In a large program nearly all may be in vain, and each takes long. */
  public void ended(Occurrence occurrence, Duration took, boolean isDecided) {
    time.spend(isDecided ? took : took.multipliedBy(IN_VAIN));
    yield.ended(occurrence, isDecided);
  }

  /** Without a run it is known whether all states of an occurrence are decided. */
  public void passed(Occurrence occurrence, boolean isDecided) {
    yield.passed(occurrence, isDecided);
  }

  /** What is known of images. */
  public KnownReads reads() {
    return reads;
  }

  /** What is known of stores. */
  public StoreReads stores() {
    return stores;
  }
}
