// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.history;

import java.util.Optional;

/**
 * When a finding came and went.
 *
 * @param finding what it is
 * @param first the run that showed it first
 * @param last the run that showed it last
 * @param cameBack the run that showed it again after it had been gone; the last such run
 * @param goneSince the first conclusive run after {@code last}
 * @param runs how many runs showed it, at least 1
 * @param accepted whether it was accepted when it was seen last
 */
public record FindingHistory(
    KnownFinding finding,
    HistoryRun first,
    HistoryRun last,
    Optional<HistoryRun> cameBack,
    Optional<HistoryRun> goneSince,
    int runs,
    boolean accepted) {
  /** What has become of a finding. */
  public enum State {
    /** Never seen before. */
    NEW("new"),
    /** It had been gone. */
    AGAIN("seen again"),
    /** It was there before and is there still. */
    STAYS("still there"),
    /** The last run did not show it, but could not have shown that it is gone. */
    UNKNOWN("not seen, but the run was incomplete"),
    /** A run did not show it that would have. */
    GONE("gone");

    private final String words;

    State(String words) {
      this.words = words;
    }

    /** In words. */
    public String words() {
      return words;
    }
  }

  /**
   * What has become of it.
   *
   * @param from the position of the run from which on news are new
   * @param latest the position of the last run that has a report
   */
  public State state(int from, int latest) {
    if (goneSince.isPresent()) {
      return State.GONE;
    }
    if (first.position() >= from) {
      return State.NEW;
    }
    if (cameBack.filter(run -> run.position() >= from).isPresent()) {
      return State.AGAIN;
    }
    return last.position() < latest ? State.UNKNOWN : State.STAYS;
  }

  /** Whether it went in a run of that position or a later one. */
  public boolean wentFrom(int from) {
    return goneSince.filter(run -> run.position() >= from).isPresent();
  }
}
