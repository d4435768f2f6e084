// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

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
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.FailurePointTree;
import java.util.List;

/** Builds the failure-point tree of a campaign's target without any injection. */
public final class TreeRun {
  private TreeRun() {}

  /**
   * Builds and sets up the target and runs it once under the recorder.
   *
   * @throws PowercutException if one of these fails
   */
  public static FailurePointTree of(Campaign campaign, Progress progress) {
    return of(campaign, progress, (ordinal, stack, instruction, isNew) -> {});
  }

  /**
   * Builds and sets up the target and runs it once under the recorder.
   *
   * @param listener receives every occurrence of a failure point while the target runs
   * @throws PowercutException if one of these fails
   */
  public static FailurePointTree of(
      Campaign campaign, Progress progress, FailurePointListener listener) {
    TemporaryRun run = TemporaryRun.create();
    try (Session session = Session.open(campaign, run.directory(), progress, new Timings())) {
      try {
        FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
        grow(tree, new RunParts(session.context()), progress, listener);
        return tree;
      } finally {
        run.close(); // with the session an interrupted process ends
      }
    } finally {
      run.close();
      progress.close();
    }
  }

  private static void grow(
      FailurePointTree tree, RunParts parts, Progress progress, FailurePointListener listener) {
    Preparation preparation = parts.preparation();
    preparation.build();
    try (ExecutionDirectories base = preparation.setUp()) {
      progress.phase("running the target under instrumentation");
      InstrumentedRun target = parts.instrumentedRun();
      FailurePointListener counting = target.counting(tree);
      FailurePointListener told =
          (ordinal, stack, instruction, isNew) -> {
            counting.reached(ordinal, stack, instruction, isNew);
            listener.reached(ordinal, stack, instruction, isNew);
          };
      target.run(base.pm(), tree, Observation.ofNumbers(), Following.of(told, List.of())).close();
    }
  }
}
