// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.progress;

import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.rundir.StateVerdicts;
import java.util.Locale;

/** Progress with a line for each image that was judged, and the time of each phase. */
final class VerboseProgress extends Progress.Forwarding {
  private static final double NANOSECONDS = 1e9;

  private String phase = "";
  private long phaseBegan;

  /**
   * @param progress shows the lines
   */
  VerboseProgress(Progress progress) {
    super(progress);
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
    super.phase(title, images);
  }

  private void endPhase() {
    if (!phase.isEmpty()) {
      double seconds = (System.nanoTime() - phaseBegan) / NANOSECONDS;
      note(String.format(Locale.ROOT, "  that took %.2f s", seconds));
    }
    phase = "";
  }

  @Override
  public void judged(Judgement judgement) {
    note(
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
      note(
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
  public synchronized void close() {
    endPhase();
    super.close();
  }
}
