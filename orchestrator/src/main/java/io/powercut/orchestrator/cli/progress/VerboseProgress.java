// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.StateVerdicts;
import java.util.Locale;

/** Progress with a line for each image that was judged, and the time of each phase. */
final class VerboseProgress implements Progress {
  private static final double NANOSECONDS = 1e9;

  private final Progress progress;
  private String phase = "";
  private long phaseBegan;

  /**
   * @param progress shows the lines
   */
  VerboseProgress(Progress progress) {
    this.progress = progress;
  }

  @Override
  public void phase(String title) {
    phase(title, 0);
  }

  @Override
  public synchronized void phase(String title, long images) {
    endPhase();
    phase = title;
    phaseBegan = System.nanoTime();
    progress.phase(title, images);
  }

  private void endPhase() {
    if (!phase.isEmpty()) {
      double seconds = (System.nanoTime() - phaseBegan) / NANOSECONDS;
      progress.note(String.format(Locale.ROOT, "  that took %.2f s", seconds));
    }
    phase = "";
  }

  @Override
  public void step(String task, long done, long total) {
    progress.step(task, done, total);
  }

  @Override
  public void tally(Tally tally) {
    progress.tally(tally);
  }

  @Override
  public void judged(Judgement judgement) {
    progress.note(
        String.format(
            Locale.ROOT,
            "  %s occurrence %d: %s, %.3f s",
            judgement.failurePointId(),
            judgement.occurrence(),
            judgement.kind().name().toLowerCase(Locale.ROOT),
            judgement.seconds()));
  }

  @Override
  public void explored(StateVerdicts states) {
    if (states.total() > 0) {
      progress.note(
          "  %s occurrence %d: %d crash state%s, %d failing"
              .formatted(
                  states.failurePointId(),
                  states.occurrence(),
                  states.total(),
                  states.total() == 1 ? "" : "s",
                  states.failing()));
    }
  }

  @Override
  public void found(String line) {
    progress.found(line);
  }

  @Override
  public void note(String message) {
    progress.note(message);
  }

  @Override
  public synchronized void close() {
    endPhase();
    progress.close();
  }
}
