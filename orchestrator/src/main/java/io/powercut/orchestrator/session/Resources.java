// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.image.PmArea;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the worker threads of a run share.
 *
 * @param area where private PM directories are
 * @param parallel how many executions run at a time, from 1
 * @param interrupted set when the run is to end as soon as it can
 */
public record Resources(PmArea area, int parallel, AtomicBoolean interrupted) {
  /**
   * Ends the calling thread's work when the run was interrupted.
   *
   * @throws InterruptedRunException if it was
   */
  public void checkInterrupted() {
    if (interrupted.get()) {
      throw new InterruptedRunException();
    }
  }
}
