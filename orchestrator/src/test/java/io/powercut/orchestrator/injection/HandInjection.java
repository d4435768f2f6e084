// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.campaign.Campaign;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.StateLog;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The parts of a recorded injection, of a target and a recovery that are functions. */
final class HandInjection {
  private static final long SLOW_NANOSECONDS = 50_000_000;

  private final HandRun run;
  private final Campaign campaign;
  private final Observation observation;
  private final FailurePointTree tree;
  private final AtomicInteger cuts = new AtomicInteger();

  /** Takes its time, so that what does not wait for it is noticed. */
  final FakeRecovery recovery =
      new FakeRecovery(
          pool -> {
            LockSupport.parkNanos(SLOW_NANOSECONDS);
            return pool.at(1, 0) > pool.at(0, 0)
                ? Optional.of("the flag is ahead of the value")
                : Optional.empty();
          });

  final KeptResults results = new KeptResults();
  final Scope scope;
  final Extent extent;
  final Passes passes;
  final OccurrenceInjection injection;

  /**
   * @param sections of the campaign
   * @param judged by an earlier part of the run
   */
  HandInjection(HandRun run, String sections, Map<Occurrence, Judgement> judged)
      throws IOException {
    this.run = run;
    this.campaign = run.campaign(sections);
    this.observation = Observation.of(campaign, false);
    this.tree = InstrumentedRun.emptyTree(campaign);
    this.scope = Scope.all(new Budget(campaign));
    InjectionLogs logs =
        new InjectionLogs(
            results,
            judged,
            Optional.of(StateLog.open(run.folder().resolve("states.jsonl"))),
            Optional.empty());
    this.extent = Extent.of(campaign, logs);
    PlacesInTrace places = new PlacesInTrace(results);
    Judging judging =
        new Judging(recovery, new VerdictCache(), observation.identity(), scope.budget(), places);
    this.passes =
        new Passes(
            campaign,
            run.workplace(),
            judging,
            new Recoveries(
                recovery,
                Optional.empty(),
                (images, wanted) -> {
                  cuts.incrementAndGet();
                  return Optional.empty();
                },
                true),
            extent);
    this.injection =
        new OccurrenceInjection(
            scope, extent, judged, judging, places, campaign.crashStates().choice());
  }

  /** How often recovery was to be cut. */
  int cuts() {
    return cuts.get();
  }

  private void reachAll() {
    for (int source : new int[] {11, 21}) {
      tree.reach(TargetByHand.stack(source), Instruction.CLWB, source);
    }
  }

  /** Works in a pass over the files after set-up. */
  interface Work {
    void in(Pass pass) throws IOException;
  }

  /** Opens a pass in which lines 11 and 21 are failure points, and closes it afterwards. */
  void pass(Work work) throws IOException {
    reachAll();
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages);
        Pass pass = passes.open(state, observation.tables(), tree)) {
      work.in(pass);
    }
  }

  /** Records a target. */
  RecordingPass record(TargetByHand.Program program, OccurrenceChoice choice, Optional<Path> stored)
      throws IOException {
    RecordingPass pass =
        new RecordingPass(
            Recording.uncontrolled(
                new InstrumentedRun(
                    campaign, new TargetByHand(program), run.resources(), Progress.SILENT),
                observation),
            passes,
            injection,
            choice,
            new Preceding(),
            extent);
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages)) {
      pass.run(run.base(), tree, state, (occurrence, now) -> {}, stored).close();
    }
    return pass;
  }

  /** Judges occurrences of a stored trace, whose failure points are lines 11 and 21. */
  void replay(Path stored, Later later) throws IOException {
    reachAll();
    new StoredPass(
            campaign, passes, injection, extent.occurrences(), new Preceding(), scope.budget())
        .run(run.base(), stored, tree, later);
  }
}
