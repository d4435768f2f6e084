// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import io.powercut.report.rundir.Shard;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Cuts a campaign's failure points into batches of about {@link #WANTED} seconds. How long a
 * failure point takes is guessed at first and known better with each batch that ends: so the first
 * batches are short, and one is at most four times as large as those before it. Not for several
 * threads.
 */
final class BatchPlan {
  /** Seconds. Half as long or twice as long is as good. */
  static final double WANTED = 60;

  /** Seconds, as long as nothing was measured. */
  private static final double WANTED_FIRST = 15;

  /** Crash states of a failure point, as long as nothing was measured. */
  private static final int GUESSED_STATES = 20;

  /** Where there was no control, seconds. */
  private static final double GUESSED_RECOVERY = 0.1;

  private static final int MOST_PARTS = 4096;
  private static final int MOST_GROWTH = 4;

  private final int count;

  /** Parts that were judged before. */
  private final BitSet judged = new BitSet();

  private double size;
  private int next = 1;
  private double parts;
  private double seconds;

  /**
   * @param failurePoints how many there are
   * @param recoverySeconds how long one recovery takes; 0 if that is not known
   * @param judged batches of an earlier plan of the same failure points that are left out
   */
  BatchPlan(long failurePoints, double recoverySeconds, List<Shard> judged) {
    this.count = (int) Math.max(1, Math.min(MOST_PARTS, failurePoints));
    double guessed =
        (recoverySeconds > 0 ? recoverySeconds : GUESSED_RECOVERY)
            * GUESSED_STATES
            * failurePoints
            / count;
    this.size = Math.max(1, WANTED_FIRST / guessed);
    judged.stream()
        .filter(batch -> batch.count() == count)
        .forEach(batch -> this.judged.set(batch.index(), batch.last() + 1));
  }

  /** The next batch; nothing if there is none left. */
  Optional<Shard> next() {
    next = judged.nextClearBit(next);
    if (next > count) {
      return Optional.empty();
    }
    int known = judged.nextSetBit(next);
    int end = known < 0 ? count : known - 1;
    int last = (int) Math.min(end, next + Math.round(size) - 1);
    // A rest that is not worth a batch of its own goes with it.
    if (end - last < size / 2) {
      last = end;
    }
    Shard batch = new Shard(next, last, count);
    next = last + 1;
    return Optional.of(batch);
  }

  /** A batch has ended. */
  void took(Shard batch, double time) {
    parts += batch.last() - batch.index() + 1.0;
    seconds += time;
    double wanted = WANTED * parts / Math.max(seconds, 1e-3);
    size = Math.max(1, Math.min(size * MOST_GROWTH, wanted));
  }
}
