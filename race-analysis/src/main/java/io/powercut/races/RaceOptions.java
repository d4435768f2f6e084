// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.found.Race;
import it.unimi.dsi.fastutil.HashCommon;

/**
 * What counts as a race, and how much is kept to find them.
 *
 * @param dropsInitialisation whether what was persisted before a second thread used it is left out
 *     (HawkSet, section 3.1.3)
 * @param mostLines cache lines that are followed
 * @param mostKept stores in flight, and windows and loads that differ, that are kept for all lines
 * @param mostKeptOfLine windows that are kept for one line, and so many loads
 * @param ownLocks the target's own
 * @param sample the cache lines that are looked at
 * @param followsReaders whether a race that may do harm is given again when its reader has stored
 *     or written more ({@link RaceAnalysis#takeInFlight})
 */
public record RaceOptions(
    boolean dropsInitialisation,
    int mostLines,
    int mostKept,
    int mostKeptOfLine,
    OwnLocks ownLocks,
    Sample sample,
    boolean followsReaders) {
  /**
   * One in so many cache lines. What is found in a sample is what is found without one in these
   * lines. So the samples with all numbers together find everything, but for a {@link
   * Race#observations() count} of what two of them have in common.
   *
   * @param every 1 for all lines
   * @param which which of the samples, from 0 to {@code every - 1}
   */
  public record Sample(int every, int which) {
    /** All lines. */
    public static final Sample ALL = new Sample(1, 0);

    public Sample {
      if (every < 1 || which < 0 || which >= every) {
        throw new IllegalArgumentException("no sample: number " + which + " of " + every);
      }
    }

    /** Whether it has a line, by the location of any byte of it. */
    boolean has(long location) {
      return every == 1 || Math.floorMod(HashCommon.mix(location / LINE), (long) every) == which;
    }
  }

  private static final int LINE = 64;

  /**
   * Those of a campaign: threads may use 16 MiB of persistent memory, and have 262,144 windows and
   * loads there that differ. At both limits that takes some 140 MiB of heap.
   */
  public static final RaceOptions USUAL =
      new RaceOptions(true, 1 << 18, 1 << 18, 1 << 10, OwnLocks.NONE, Sample.ALL, false);

  /** The same that keeps initialisation. */
  public RaceOptions withInitialisation() {
    return new RaceOptions(
        false, mostLines, mostKept, mostKeptOfLine, ownLocks, sample, followsReaders);
  }

  /** The same that looks at some lines only. */
  public RaceOptions withSample(Sample some) {
    return new RaceOptions(
        dropsInitialisation, mostLines, mostKept, mostKeptOfLine, ownLocks, some, followsReaders);
  }

  /** The same for a target with locks of its own. */
  public RaceOptions withLocks(OwnLocks locks) {
    return new RaceOptions(
        dropsInitialisation, mostLines, mostKept, mostKeptOfLine, locks, sample, followsReaders);
  }

  /** The same that gives races again whose readers do more. */
  public RaceOptions followingReaders() {
    return new RaceOptions(
        dropsInitialisation, mostLines, mostKept, mostKeptOfLine, ownLocks, sample, true);
  }
}
