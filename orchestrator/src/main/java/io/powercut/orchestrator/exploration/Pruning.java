// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

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

  /** Of a recovery. */
  private static final int PERCENT = 100;

  /** How much longer a watched recovery takes (benchmarks/states/README.md). */
  private static final int WATCHING = 40;

  private final Optional<RecoveryReads> reads;
  private final boolean isToPay;
  private final AtomicInteger pruned = new AtomicInteger();
  private final AtomicInteger watched = new AtomicInteger();
  private final AtomicInteger saved = new AtomicInteger();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /**
   * @param reads says which lines recovery reads; nothing if all states are judged
   * @param isToPay whether it ends when it costs more than it saves; else it is wanted for itself
   */
  Pruning(Optional<RecoveryReads> reads, boolean isToPay) {
    this.reads = reads;
    this.isToPay = isToPay;
  }

  /** What says which lines recovery reads; nothing if all states are judged from now on. */
  Optional<RecoveryReads> reads() {
    return isOver.get() ? Optional.empty() : reads;
  }

  /** Counts a state that is taken for another one; whether it is to be judged itself, too. */
  boolean isChecked() {
    return pruned.getAndIncrement() % CHECKED == 0;
  }

  /** Such a state was judged unlike the one that it was taken for. */
  void refute() {
    isOver.set(true);
  }

  /**
   * A recovery was watched that would have run in any case.
   *
   * @param isKnown whether that showed what it reads; if not, it ran again unwatched
   */
  void watched(boolean isKnown) {
    saved.addAndGet(isKnown ? -WATCHING : -WATCHING - PERCENT);
    if (watched.incrementAndGet() >= FIRST_RUNS && saved.get() < 0 && isToPay) {
      isOver.set(true);
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
