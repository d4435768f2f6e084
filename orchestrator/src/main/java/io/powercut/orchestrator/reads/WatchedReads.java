// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.reads;

import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.reads.CostlyPages;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.judging.RecoveryRuns;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs recovery natively to see which of the lines in flight it reads. No step is a server. Nothing
 * is known of one that does not end, so it gets no more time than others need.
 */
public final class WatchedReads implements RecoveryReads {
  private final RecoverySteps steps;
  private final RecoveryRuns usual;
  private final Resources resources;
  private final CostlyPages pages = new CostlyPages();

  /**
   * @param usual knows how long the steps take
   */
  public WatchedReads(RecoverySteps steps, RecoveryRuns usual, Resources resources) {
    this.steps = steps;
    this.usual = usual;
    this.resources = resources;
  }

  @Override
  public Optional<ReadsWatch> besideJudging(Map<ImageLine, Long> asked, Effort effort) {
    return Optional.of(new ReadsWatch(asked, effort, pages));
  }

  @Override
  public Optional<ImageReads> on(JudgedImages images, Map<ImageLine, Long> asked, Effort effort)
      throws IOException {
    ReadsWatch watch = new ReadsWatch(asked, effort, pages);
    if (watch.isAsked()) {
      return watch.answer();
    }
    try (ImageCopy copy = images.fresh()) {
      ExecutionDirectories places =
          ExecutionDirectories.around(copy.directory(), images.acknowledged());
      List<RecoveryStep> all = steps.on(places);
      ReadsWatch.Copy watched = watch.on(places.pm(), places.scratch());
      int ran = 0;
      for (RecoveryStep step : all) {
        CommandOutcome outcome = steps.watch(usual.shorten(ran, step), watched);
        resources.checkInterrupted();
        ran++;
        if (outcome.problem().isPresent()) {
          break; // As for the oracle, what comes after a step that fails does not run.
        }
      }
      watched.end(ran);
    }
    return watch.answer();
  }
}
