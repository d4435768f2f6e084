// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Progress.Tally;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.StateVerdicts;

/** Progress of one of many runs: what it has come to and finds, but no line for each phase. */
final class WithoutPhases implements Progress {
  private static final String INDENT = "  ";

  private final Progress progress;

  /**
   * @param progress shows it
   */
  WithoutPhases(Progress progress) {
    this.progress = progress;
  }

  @Override
  public void phase(String title) {}

  @Override
  public void step(String task, long done, long total) {
    progress.step(task, done, total);
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
  public void note(String message) {
    progress.note(INDENT + message);
  }

  @Override
  public void close() {
    progress.close();
  }
}
