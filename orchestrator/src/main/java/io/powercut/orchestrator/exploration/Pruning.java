// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether states that differ only in lines that recovery does not read are still taken for one.
 * That assumes a recovery that does the same on the same data, so some of these states are judged
 * all the same. Safe for use by several threads.
 */
final class Pruning {
  /** One in so many of them is judged. */
  private static final int CHECKED = 16;

  private final Optional<RecoveryReads> reads;
  private final AtomicInteger pruned = new AtomicInteger();
  private final AtomicBoolean isRefuted = new AtomicBoolean();

  /**
   * @param reads says which lines recovery reads; nothing if all states are judged
   */
  Pruning(Optional<RecoveryReads> reads) {
    this.reads = reads;
  }

  /** What says which lines recovery reads; nothing if all states are judged from now on. */
  Optional<RecoveryReads> reads() {
    return isRefuted.get() ? Optional.empty() : reads;
  }

  /** Counts a state that is taken for another one; whether it is to be judged itself, too. */
  boolean isChecked() {
    return pruned.getAndIncrement() % CHECKED == 0;
  }

  /** Such a state was judged unlike the one that it was taken for. */
  void refute() {
    isRefuted.set(true);
  }
}
