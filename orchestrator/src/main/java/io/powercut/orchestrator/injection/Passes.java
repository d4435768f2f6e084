// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.io.Closer;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.RecoveryCrashSection;
import io.powercut.image.PmState;
import io.powercut.orchestrator.exploration.AdviceQuestions;
import io.powercut.orchestrator.exploration.KnownCulprits;
import io.powercut.orchestrator.exploration.StateExplorer;
import io.powercut.orchestrator.exploration.StateOptions;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.MetadataInFlight;
import io.powercut.orchestrator.judging.QuiescentPoints;
import io.powercut.orchestrator.nestedcrash.RecoveryCrashChoice;
import io.powercut.orchestrator.nestedcrash.RecoveryCrashes;
import io.powercut.orchestrator.nestedcrash.RecoveryStates;
import io.powercut.orchestrator.reads.StoreReads;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.orchestrator.session.Phases;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.timeline.RecentEvents;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.StorePlaces;
import io.powercut.report.format.Text;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** Opens passes over the trace, and has what all of them share: what blames and advises. */
final class Passes {
  private final Campaign campaign;
  private final Workplace workplace;
  private final Judging judging;
  private final Recoveries recoveries;
  private final Extent extent;
  private final KnownCulprits culprits = new KnownCulprits();
  private final AdviceQuestions advice = new AdviceQuestions();
  private final Searches searches;

  Passes(
      Campaign campaign,
      Workplace workplace,
      Judging judging,
      Recoveries recoveries,
      Extent extent) {
    this.campaign = campaign;
    this.workplace = workplace;
    this.judging = judging;
    this.recoveries = recoveries;
    this.extent = extent;
    this.searches =
        new Searches(
            recoveries.reads().isPresent(),
            campaign.crashStates().complete(),
            campaign.crashStates().completeTime());
  }

  /** Where the work is done. */
  Workplace workplace() {
    return workplace;
  }

  /** What all passes found that advice is wanted for. */
  AdviceQuestions advice() {
    return advice;
  }

  /** Whether recovery gets what the target acknowledged: all of that is known at the end only. */
  boolean tellsRecovery() {
    return !campaign.acknowledgedOutputs().isEmpty();
  }

  /** What recovery read of stores. */
  StoreReads reads() {
    return searches.stores();
  }

  /** Places in the code whose stores are known to be lost by mistake. */
  Set<Integer> blamed(StorePlaces numbers) {
    return culprits.places(numbers);
  }

  /**
   * What tells how long the run is.
   *
   * @param reached gives how often failure points were reached up to now
   */
  void followRun(LongSupplier reached) {
    searches.follow(reached);
  }

  /**
   * Opens a pass.
   *
   * @param state holds the files after set-up
   * @param tables get the trace
   * @param tree has the failure points that were reached, as soon as they are
   */
  Pass open(PmState state, TraceTables tables, FailurePointTree tree) throws IOException {
    followRun(tree::occurrences);
    Closer closer = Closer.create();
    try {
      AcknowledgedLog acknowledged =
          closer.register(
              AcknowledgedLog.open(campaign.acknowledgedOutputs(), workplace.resources().area()));
      RecoveryCrashChoice chosen =
          new RecoveryCrashChoice(extent.recoveryCrashes(), campaign.recoveryCrash().images());
      closer.register(chosen::close);
      ImageWorkers workers = workers(tables, tree, chosen);
      closer.register(workers::close);
      Optional<QuiescentPoints> quiet = Optional.empty();
      if (extent.comparesDumps()) {
        quiet = Optional.of(closer.register(QuiescentPoints.open(state, acknowledged)));
      }
      CacheLineTracker pending =
          closer.register(new CacheLineTracker(campaign.domain(), state, new CallerPlaces(tables)));
      Optional<MetadataInFlight> metadata = Optional.empty();
      if (extent.states().isPresent() && campaign.crashStates().metadataLost()) {
        metadata = Optional.of(closer.register(new MetadataInFlight(state, campaign.domain())));
      }
      return new Pass(
          state,
          acknowledged,
          pending,
          metadata,
          new RecentEvents(),
          quiet,
          chosen,
          workers,
          closer);
    } catch (IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
  }

  private ImageWorkers workers(
      TraceTables tables, FailurePointTree tree, RecoveryCrashChoice chosen) {
    Resources resources = workplace.resources();
    StateExplorer explorer =
        new StateExplorer(
            workplace,
            judging,
            new StateOptions(recoveries.reads(), searches),
            tables,
            culprits,
            advice);
    ImageWorkers.Recovered recovered =
        (moment, hash) -> {
          if (!moment.occurrence().isEnd()) {
            FailurePointId id = moment.occurrence().id();
            chosen.offer(moment, hash, tree.find(id).orElseThrow().stack());
          }
        };
    return new ImageWorkers(resources, judging, explorer, recovered);
  }

  /**
   * Cuts recovery on the images that a pass chose. Behind all else: which images are worth it is
   * known, and so is how many there are.
   */
  void cutRecovery(Pass pass) {
    List<RecoveryCrashChoice.Chosen> chosen = pass.chosen().take();
    if (!chosen.isEmpty()) {
      Phases phases = workplace.phases();
      phases.begin(
          "crashing recovery on %s on which it succeeds, %d at a time"
              .formatted(Text.counted(chosen.size(), "image"), workplace.resources().parallel()));
      RecoveryCrashLog log = extent.recoveryCrashes().orElseThrow();
      phases
          .timings()
          .run(
              "recoveryCrashes",
              () -> recoveryCrashes(log, pass.pending().isCacheFlushed()).run(chosen));
    }
  }

  private RecoveryCrashes recoveryCrashes(RecoveryCrashLog log, boolean isCacheFlushed) {
    RecoveryCrashSection section = campaign.recoveryCrash();
    return new RecoveryCrashes(
        workplace,
        judging,
        section,
        recoveries.cut(),
        extent.states().isPresent() && section.crashStates()
            ? Optional.of(
                new RecoveryStates.Options(
                    campaign.crashStates().choice(), recoveries.reads(), isCacheFlushed))
            : Optional.empty(),
        log);
  }
}
