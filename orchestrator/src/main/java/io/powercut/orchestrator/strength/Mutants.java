// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.exploration.WatchedStates;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.SharedVerdicts;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.TemporaryRun;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.RecordCheck;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceStore;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/**
 * Plants bugs in a recorded run: replays it without the flushes, fences or synchronisations of one
 * call stack at a time, and asks recovery about the states that this adds. The target is run once,
 * and nothing in it is changed. Closing this ends all that runs and removes all that was made.
 */
public final class Mutants implements AutoCloseable {
  /** Memory for pages of a replayed state that were stored to, outside the heap. */
  private static final long CACHE_BYTES = 16L << 20;

  /** So many occurrences share the states, if there are so many. */
  private static final int VISITS = 16;

  private final TemporaryRun run;
  private final Session session;
  private final Campaign campaign;
  private final RunParts parts;
  private final Resources resources;
  private final Progress progress;
  private final ExecutionDirectories base;
  private final Path trace;
  private final Observation observation = Observation.ofStacks();
  private final FailurePointTree tree;
  private final SharedVerdicts verdicts;
  private final WatchedStates.Trust trust;
  private final PersistSurvey survey;

  private Mutants(TemporaryRun run, Session session, Campaign campaign) throws IOException {
    this.run = run;
    this.session = session;
    this.campaign = campaign;
    this.parts = new RunParts(session.context());
    this.resources = parts.resources();
    this.progress = parts.workplace().phases().progress();
    Preparation preparation = parts.preparation();
    preparation.build();
    this.base = preparation.setUp();
    this.verdicts = new SharedVerdicts(parts.judge());
    this.trust = new WatchedStates.Trust(parts.reads());
    parts.controlSetUp(base.pm());
    this.trace = resources.area().newDirectory().path().resolve("trace.zst");
    this.tree = InstrumentedRun.emptyTree(campaign);
    progress.phase("running the target under instrumentation");
    try (PrivateDirectory pages = resources.area().newDirectory();
        PmState state = PmState.open(base.pm(), pages, CACHE_BYTES)) {
      CacheLineTracker pending = new CacheLineTracker(campaign.domain(), state);
      this.survey = survey();
      pending.tell(survey);
      try (Execution execution = record(pending, state)) {
        parts.control().controlEnd(execution);
      }
    }
  }

  /**
   * Builds the target, sets it up, runs it once and asks recovery about the states without any
   * crash.
   *
   * @throws PowercutException if one of these fails
   */
  public static Mutants open(Campaign campaign, Progress progress) {
    TemporaryRun run = TemporaryRun.create();
    try {
      Session session = Session.open(campaign, run.directory(), progress, new Timings());
      try {
        return new Mutants(run, session, campaign);
      } catch (IOException e) {
        close(run, session);
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) {
        close(run, session);
        throw e;
      }
    } catch (RuntimeException e) {
      run.close();
      throw e;
    }
  }

  private PersistSurvey survey() {
    return new PersistSurvey(
        observation.tables(),
        ExcludedFunctions.of(campaign.failurePoints().exclude()),
        campaign.failurePoints().begin().isEmpty());
  }

  private Execution record(CacheLineTracker pending, PmState state) throws IOException {
    try (TraceStore store = TraceStore.create(trace);
        AcknowledgedLog acknowledged = parts.acknowledgedLog()) {
      RecordCheck check = new RecordCheck(observation.tables(), state);
      InstrumentedRun target = parts.instrumentedRun();
      Following following =
          Following.of(
                  target.counting(tree),
                  List.of(survey, pending, acknowledged, new ProgramOrder(state), check))
              .storingInto(Optional.of(store));
      Execution execution = target.run(base.pm(), tree, observation, following);
      try {
        check.compare(execution.places().pm()).forEach(progress::note);
        execution.keepAcknowledged(acknowledged.now());
        return execution;
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
    }
  }

  /**
   * The flushes, fences and synchronisations that were executed, by call stack, in the order of
   * first execution.
   */
  public List<PersistSite> sites() {
    return survey.sites();
  }

  /** How many more are in functions that the campaign excludes. */
  public int excludedSites() {
    return survey.excludedSites();
  }

  /** The call stacks of all stores to persistent memory. */
  public List<CallStack> storingStacks() {
    return survey.storingStacks();
  }

  /** The binaries and libraries that the target consists of. */
  public Collection<TraceEvent.ModuleDefined> modules() {
    return observation.tables().modules();
  }

  /** The failure points of the target. */
  public FailurePointTree tree() {
    return tree;
  }

  /** How many different images recovery has judged so far. */
  public long images() {
    return verdicts.images();
  }

  /**
   * Leaves out each of these by itself, several at a time.
   *
   * @param mostStates how many states are judged for each, at least 1
   * @param time how long all may take, when the campaign's own limit is not less; what is not done
   *     then is told as incomplete
   * @param sink takes what came of each, one at a time
   */
  public void tryEach(
      List<PersistSite> sites,
      int mostStates,
      Optional<Duration> time,
      BiConsumer<PersistSite, MutantResult> sink) {
    Budget budget = new Budget(campaign, time);
    Queue<PersistSite> waiting = new ConcurrentLinkedQueue<>(sites);
    Workers.run(
        "mutants",
        Math.max(1, Math.min(resources.parallel(), sites.size())),
        () -> {
          try (RecordedImages workspace = RecordedImages.in(resources.area())) {
            for (PersistSite site = waiting.poll(); site != null; site = waiting.poll()) {
              resources.checkInterrupted();
              MutantResult trial = attempt(site, mostStates, workspace, budget);
              synchronized (sink) {
                sink.accept(site, trial);
              }
            }
          }
        });
  }

  /** Spreads the states over the occurrences, and comes back for more while there are some left. */
  private MutantResult attempt(
      PersistSite site, int mostStates, RecordedImages workspace, Budget budget) {
    MutantJudge judge =
        new MutantJudge(workspace, verdicts, trust, budget, mostStates, this::noteDeviation);
    int statesPerOccurrence = Math.max(2, mostStates / VISITS);
    boolean makesDifference = false;
    int occurrences = 0;
    int before;
    do {
      before = judge.states();
      MutantPass pass = pass(site, judge, statesPerOccurrence);
      makesDifference |= pass.makesDifference();
      occurrences = Math.max(occurrences, pass.occurrences());
      statesPerOccurrence *= VISITS / 4;
    } while (!judge.isOver() && judge.states() > before);
    return judge.result(makesDifference, occurrences);
  }

  private void noteDeviation(CallStack at) {
    progress.note(
        "recovery does different things on data that it does not read, at failure point "
            + at.id()
            + "; from here on every state is judged");
  }

  private MutantPass pass(PersistSite site, MutantJudge judge, int statesPerOccurrence) {
    try (PrivateDirectory pages = resources.area().newDirectory();
        AcknowledgedLog acknowledged = parts.acknowledgedLog();
        PmState state = PmState.open(base.pm(), pages, CACHE_BYTES)) {
      MutantPass pass =
          new MutantPass(campaign, site.number(), state, acknowledged, judge, statesPerOccurrence);
      try {
        new TraceReading(campaign.failurePoints(), Observation.ofNumbers())
            .read(
                TraceReader.of(trace), InstrumentedRun.emptyTree(campaign), pass, pass.consumers());
      } catch (MutantPass.OverException e) {
        // Nothing more is to be learned.
      }
      return pass;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(TemporaryRun run, Session session) {
    run.close();
    session.close();
  }

  @Override
  public void close() {
    close(run, session);
  }
}
