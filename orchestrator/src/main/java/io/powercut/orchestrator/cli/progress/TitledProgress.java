// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.StateVerdicts;

/** Progress of one of several runs, each named by a title before its phases. */
public final class TitledProgress implements Progress {
  private final String title;
  private final Progress progress;

  /**
   * @param title before every phase
   * @param progress shows it
   */
  public TitledProgress(String title, Progress progress) {
    this.title = title;
    this.progress = progress;
  }

  @Override
  public void phase(String phase) {
    progress.phase(title + phase);
  }

  @Override
  public void phase(String phase, long images) {
    progress.phase(title + phase, images);
  }

  @Override
  public void judged(Judgement judgement) {
    progress.judged(judgement);
  }

  @Override
  public void explored(StateVerdicts states) {
    progress.explored(states);
  }

  @Override
  public void tally(Tally tally) {
    progress.tally(tally);
  }

  @Override
  public void found(String line) {
    progress.found(line);
  }

  @Override
  public void step(String task, long done, long total) {
    progress.step(task, done, total);
  }

  @Override
  public void note(String message) {
    progress.note(message);
  }

  @Override
  public void close() {
    progress.close();
  }
}
