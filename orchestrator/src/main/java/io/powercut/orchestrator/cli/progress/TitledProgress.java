// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;

/** Progress of one of several runs, each named by a title before its phases. */
public final class TitledProgress extends Progress.Forwarding {
  private final String title;

  /**
   * @param title before every phase
   * @param progress shows it
   */
  public TitledProgress(String title, Progress progress) {
    super(progress);
    this.title = title;
  }

  @Override
  public void phase(String phase) {
    super.phase(title + phase);
  }

  @Override
  public void phase(String phase, long images) {
    super.phase(title + phase, images);
  }
}
