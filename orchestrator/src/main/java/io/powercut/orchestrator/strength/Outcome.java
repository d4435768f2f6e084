// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

/** What became of a mutant. */
public enum Outcome {
  /** Recovery failed on a state that only the missing flush or fence makes possible. */
  KILLED,
  /** There were such states, and recovery found those that were judged consistent. */
  SURVIVED,
  /** The same, and recovery reads nothing of what the flush or fence persists. */
  UNREAD,
  /**
   * There are such states, but only at occurrences of failure points that the campaign does not
   * judge.
   */
  NO_COVERAGE,
  /** At no failure point of the run is anything possible that is not possible anyway. */
  EQUIVALENT,
  /** Nothing can be said: there was no time left, or recovery gave no verdict that counts. */
  NOT_JUDGED
}
