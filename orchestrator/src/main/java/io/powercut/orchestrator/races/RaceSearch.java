// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.TemporaryRun;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.races.RaceAnalysis;
import io.powercut.races.RaceOptions;
import io.powercut.races.RaceResult;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import java.util.List;

/** Records a campaign's target once, and looks for persistency-induced races in the trace. */
public final class RaceSearch {
  private RaceSearch() {}

  /**
   * Builds and sets up the target and runs it once under the recorder.
   *
   * @throws PowercutException if one of these fails
   */
  public static RaceResult in(Campaign campaign, RaceOptions options, Progress progress) {
    TemporaryRun run = TemporaryRun.create();
    try (Session session = Session.open(campaign, run.directory(), progress, new Timings())) {
      try {
        return search(campaign, options, new RunParts(session.context()), progress);
      } finally {
        run.close(); // with the session an interrupted process ends
      }
    } finally {
      run.close();
      progress.close();
    }
  }

  private static RaceResult search(
      Campaign campaign, RaceOptions options, RunParts parts, Progress progress) {
    Observation observation = Observation.ofRaces();
    RaceAnalysis analysis =
        new RaceAnalysis(
            campaign.domain(),
            observation.tables(),
            ExcludedFunctions.of(campaign.failurePoints().exclude()),
            campaign.failurePoints().begin().isEmpty(),
            options);
    Preparation preparation = parts.preparation();
    preparation.build();
    try (ExecutionDirectories base = preparation.setUp()) {
      progress.phase("running the target under instrumentation");
      FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
      InstrumentedRun target = parts.instrumentedRun();
      target
          .run(base.pm(), tree, observation, Following.of(target.counting(tree), List.of(analysis)))
          .close();
    }
    return analysis.result();
  }
}
