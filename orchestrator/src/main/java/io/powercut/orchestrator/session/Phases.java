// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

/**
 * What a run reports of its phases: on the screen, and the time they take.
 *
 * @param progress receives the events
 * @param timings where time goes
 */
public record Phases(Progress progress, Timings timings) {
  /** A new phase of the run begins. */
  public void begin(String title) {
    progress.phase(title);
  }

  /**
   * A new phase begins.
   *
   * @param images how many images it judges
   */
  public void begin(String title, long images) {
    progress.phase(title, images);
  }

  /** A line worth keeping on the screen. */
  public void note(String message) {
    progress.note(message);
  }
}
