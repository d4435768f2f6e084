// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;

/** Progress of one of many runs: what it has come to and finds, but no line for each phase. */
final class WithoutPhases extends Progress.Forwarding {
  private static final String INDENT = "  ";

  /**
   * @param progress shows it
   */
  WithoutPhases(Progress progress) {
    super(progress);
  }

  @Override
  public void phase(String title) {}

  @Override
  public void phase(String title, long images) {}

  @Override
  public void note(String message) {
    super.note(INDENT + message);
  }
}
