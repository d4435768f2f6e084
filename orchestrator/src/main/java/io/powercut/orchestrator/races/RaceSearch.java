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
import io.powercut.races.RaceOptions;
import io.powercut.report.rundir.RaceLog;
import java.util.List;

/** Records a campaign's target, and looks for persistency-induced races in the trace. */
public final class RaceSearch {
  private RaceSearch() {}

  /**
   * Builds and sets up the target and runs it under the recorder, as often as the campaign wants.
   *
   * @throws PowercutException if one of these fails
   */
  public static RaceLog in(Campaign campaign, RaceOptions options, Progress progress) {
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

  private static RaceLog search(
      Campaign campaign, RaceOptions options, RunParts parts, Progress progress) {
    Preparation preparation = parts.preparation();
    preparation.build();
    try (ExecutionDirectories base = preparation.setUp()) {
      progress.phase("running the target under instrumentation");
      return new RaceRuns(campaign, options, parts, progress)
          .search(base.pm(), 0)
          .united()
          .orElse(RaceLog.of(true, List.of()));
    } finally {
      parts.noteDeclaredFunctions();
    }
  }
}
