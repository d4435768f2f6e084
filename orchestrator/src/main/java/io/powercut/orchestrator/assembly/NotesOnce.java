// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.StateVerdicts;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes a note on the first time only: each run of the target finds the same to say. */
final class NotesOnce implements Progress {
  private final Progress progress;
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  /**
   * @param progress gets everything else
   */
  NotesOnce(Progress progress) {
    this.progress = progress;
  }

  @Override
  public void note(String message) {
    if (said.add(message)) {
      progress.note(message);
    }
  }

  @Override
  public void phase(String title) {
    progress.phase(title);
  }

  @Override
  public void phase(String title, long images) {
    progress.phase(title, images);
  }

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
  public void close() {
    progress.close();
  }
}
