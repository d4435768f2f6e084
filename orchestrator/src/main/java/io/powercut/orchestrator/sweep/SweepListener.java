// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.sweep.SweepResult;
import java.time.Duration;
import java.util.Optional;

/** Receives the events of a sweep. */
public interface SweepListener {
  /**
   * A campaign begins.
   *
   * @param number which one, from 1 to {@code count}
   * @param time what it may take of the sweep's budget; as much as it wants when there is none
   * @return the listener of its run
   */
  Progress begins(String campaign, int number, int count, Optional<Duration> time);

  /** A campaign has ended, or was not run. */
  void ended(SweepResult result, int number, int count);
}
