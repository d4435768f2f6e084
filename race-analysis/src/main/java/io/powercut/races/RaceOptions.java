// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

/**
 * What counts as a race, and how much is kept to find them.
 *
 * @param dropsInitialisation whether what was persisted before a second thread used it is left out
 *     (HawkSet, section 3.1.3)
 * @param mostLines cache lines that are followed
 * @param mostKept stores in flight, and windows and loads that differ, that are kept for all lines
 * @param mostKeptOfLine windows that are kept for one line, and so many loads
 * @param ownLocks the target's own
 */
public record RaceOptions(
    boolean dropsInitialisation,
    int mostLines,
    int mostKept,
    int mostKeptOfLine,
    OwnLocks ownLocks) {
  /** Those of a campaign: threads may use 32 MiB of persistent memory. */
  public static final RaceOptions USUAL =
      new RaceOptions(true, 1 << 19, 1 << 19, 256, OwnLocks.NONE);

  /** The same that keeps initialisation. */
  public RaceOptions withInitialisation() {
    return new RaceOptions(false, mostLines, mostKept, mostKeptOfLine, ownLocks);
  }

  /** The same for a target with locks of its own. */
  public RaceOptions withLocks(OwnLocks locks) {
    return new RaceOptions(dropsInitialisation, mostLines, mostKept, mostKeptOfLine, locks);
  }
}
