// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.StopHandler;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.nio.file.Path;
import java.util.Optional;

/** Lets recovery judge the image at every stop. */
public final class JudgedStops implements StopHandler {
  private final Resources resources;
  private final CrashImageJudge judge;
  private final ResultListener results;

  public JudgedStops(Resources resources, CrashImageJudge judge, ResultListener results) {
    this.resources = resources;
    this.judge = judge;
    this.results = results;
  }

  @Override
  public void stopped(FailurePointId id, Path pm, Optional<Acknowledgement> acknowledged) {
    accept(
        judge.judge(new Occurrence(id, 1), new CopiedImages(pm, acknowledged, resources.area())));
  }

  @Override
  public void missed(FailurePointId id, String reason) {
    accept(Judgement.inconclusive(id, reason));
  }

  private void accept(Judgement judgement) {
    resources.checkInterrupted();
    results.judged(judgement);
  }
}
