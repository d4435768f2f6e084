// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.dataraces.DataRacesSection;
import io.powercut.campaign.input.FileFailure;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.assembly.SetUpFiles;
import io.powercut.orchestrator.exit.Failure;
import io.powercut.orchestrator.injection.ReExecutedInjection;
import io.powercut.orchestrator.injection.RecordedInjection;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.Announcements;
import io.powercut.orchestrator.judging.JudgedStops;
import io.powercut.orchestrator.judging.NegativeControl;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.races.HeldWriters;
import io.powercut.orchestrator.races.OrderedRun;
import io.powercut.orchestrator.races.OtherOrder;
import io.powercut.orchestrator.races.RaceRuns;
import io.powercut.orchestrator.races.RaceSeries;
import io.powercut.orchestrator.recording.RecordedPart;
import io.powercut.orchestrator.recording.StoredRecording;
import io.powercut.orchestrator.recording.StoredRun;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Interruption;
import io.powercut.orchestrator.session.MachineEnvironment;
import io.powercut.orchestrator.session.OwnErrorException;
import io.powercut.orchestrator.session.PmParent;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.NothingTested;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.findings.Baseline;
import io.powercut.report.findings.Report;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.DataRaceLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunLock;
import io.powercut.report.rundir.SetUpLog;
import io.powercut.report.rundir.Shard;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One run of a campaign, from the build to the report: build, set-up, control, instrumented run,
 * control, injection at every leaf of the failure-point tree, report.
 */
public final class CampaignRun {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final Optional<Shard> shard;
  private final Optional<Duration> time;
  private final Optional<RecordedPart> recorded;
  private final Progress progress;
  private final Timings timings = new Timings();
  private volatile boolean isReporting;
  private final Observation observation;
  private final KeptFacts facts;

  /**
   * @param campaign what to run
   * @param campaignFile where it was read from, for the report
   * @param directory a new run directory, or that of an interrupted run to continue with
   * @param shard the part of the failure points to inject at; all when there is none
   * @param progress receives the events
   */
  public CampaignRun(
      Campaign campaign,
      Path campaignFile,
      RunDirectory directory,
      Optional<Shard> shard,
      Progress progress) {
    this(campaign, campaignFile, directory, shard, Optional.empty(), progress);
  }

  /**
   * @param campaign what to run
   * @param campaignFile where it was read from, for the report
   * @param directory a new run directory, or that of an interrupted run to continue with
   * @param shard the part of the failure points to inject at; all when there is none
   * @param time how long injection may take, when the campaign's own limit is not less
   * @param progress receives the events
   */
  public CampaignRun(
      Campaign campaign,
      Path campaignFile,
      RunDirectory directory,
      Optional<Shard> shard,
      Optional<Duration> time,
      Progress progress) {
    this(campaign, campaignFile, directory, new Share(shard, time, Optional.empty()), progress);
  }

  /**
   * What is left of a run whose target was recorded before.
   *
   * @param recorded which recording, and how much of the work is done here
   * @param directory a new run directory, or one that the parts were merged into
   */
  public static CampaignRun of(RecordedPart recorded, RunDirectory directory, Progress progress) {
    StoredRecording recording = recorded.recording();
    return new CampaignRun(
        recording.campaign(),
        Path.of(recording.facts().campaignFile()),
        directory,
        new Share(recorded.shard(), recorded.time(), Optional.of(recorded)),
        progress);
  }

  /**
   * How much of a campaign a run is.
   *
   * @param shard the part of the failure points; all when there is none
   * @param time how long injection may take
   * @param recorded what it is judged from; nothing if the target is run
   */
  private record Share(
      Optional<Shard> shard, Optional<Duration> time, Optional<RecordedPart> recorded) {}

  private CampaignRun(
      Campaign campaign,
      Path campaignFile,
      RunDirectory directory,
      Share share,
      Progress progress) {
    this.campaign = campaign;
    this.directory = directory;
    this.shard = share.shard();
    this.time = share.time();
    this.recorded = share.recorded();
    this.progress = progress;
    this.observation = observation(campaign, share);
    this.facts =
        new KeptFacts(
            directory,
            new KeptFacts.Origin(campaignFile, shard, recorded.isPresent()),
            timings,
            observation,
            MachineEnvironment.describe(PmParent.of(campaign.pm())));
  }

  /** Every part needs to know of races, since a crash is tried for them at its failure points. */
  private static Observation observation(Campaign campaign, Share share) {
    boolean looks = share.shard().map(Shard::looksForPatterns).orElse(true);
    boolean triesRaces =
        campaign.injection() == InjectionMode.RECORDED && campaign.exploresStates();
    return !looks && (share.recorded().isPresent() || triesRaces)
        ? Observation.ofPart(campaign)
        : Observation.of(campaign, looks);
  }

  /** Whether this run says what patterns and races there are. */
  private boolean looksForPatterns() {
    return shard.map(Shard::looksForPatterns).orElse(true);
  }

  /**
   * Runs it, or what is left of it when the directory holds verdicts already.
   *
   * @return the report, which is also in the run directory
   * @throws PowercutException if the target or a control fails, a tool is missing, or another
   *     process is at work in the run directory
   * @throws PowercutException if the baseline cannot be understood
   */
  public Report run() {
    RunLock lock = RunLock.take(directory.path());
    // What runs ends with its session. Before and behind it, there is only little to wait for.
    Interruption interruption = new Interruption(this::completeReport);
    try {
      return runLocked();
    } finally {
      interruption.close();
      lock.close();
    }
  }

  private void completeReport() {
    if (isReporting) {
      System.err.println("powercut: interrupted after the run; completing its report");
    }
  }

  private Report runLocked() {
    Baseline.read(campaign.baseline()); // A mistake in it is reported now, not after hours.
    directory.requireReadable();
    directory
        .lacks()
        .ifPresent(files -> progress.note(files + "; what is missing is judged again"));
    directory.clearFailure();
    RunResults results =
        new RunResults(campaign, directory, observation, new Announcements(progress), facts);
    try {
      runIn(results);
    } catch (OwnErrorException e) {
      stopped(e, results);
    } catch (Error e) {
      stopped(new OwnErrorException(e), results);
    } finally {
      progress.close();
    }
    return report(results);
  }

  /** All that was held is free again: what was judged is worth a report. */
  private void stopped(OwnErrorException error, RunResults results) {
    String reason = String.valueOf(error.getMessage());
    facts.stopped(reason);
    try {
      results.addEarlier();
      report(results);
    } catch (RuntimeException e) {
      error.addSuppressed(e); // Where nothing can be reported yet, the reason is all there is.
    }
    directory.setFailure(error.text());
    throw PowercutException.notTrustworthy(error.text());
  }

  private void runIn(RunResults results) {
    try (Session session = session()) {
      storeCampaign();
      facts.store(results.tree().program());
      RunParts parts = new RunParts(session.context());
      if (recorded.isPresent()) {
        judge(recorded.get(), parts, results);
      } else {
        inject(parts, results);
      }
    } catch (InterruptedRunException e) {
      progress.note(
          "interrupted; "
              + recorded
                  .map(RecordedPart::howToContinue)
                  .orElse("to continue, run the same command with --resume"));
      results.addEarlier();
    } catch (OwnErrorException e) {
      throw e; // Resources must be free before that is reported.
    } catch (RuntimeException e) {
      directory.setFailure(Failure.of(e, recorded.isEmpty()).text());
      throw e;
    }
  }

  private Session session() {
    Optional<Integer> parallel = recorded.flatMap(RecordedPart::parallel);
    return parallel.isPresent()
        ? Session.open(campaign, directory, progress, timings, parallel.get())
        : Session.open(campaign, directory, progress, timings);
  }

  /** Replays what was recorded: build, set-up, controls and the search for races are over. */
  private void judge(RecordedPart part, RunParts parts, RunResults results) {
    StoredRecording recording = part.recording();
    Json.write(directory.setUpFile(), SetUpFiles.in(recording.base()));
    controlHere(part, parts);
    Budget budget = new Budget(campaign, time);
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            parts.workplace(),
            Recording.of(new StoredRun(campaign, recording, parts.resources()), observation),
            parts.recoveries(budget::isTimeLeft),
            new Scope(part::judges, budget),
            results.logs(parts.resources(), true, part.isLast()));
    progress.phase(
        part.isLast()
            ? "replaying the recorded run"
            : "judging part %s of the recorded run".formatted(part.shard().orElseThrow()));
    Optional<Execution> execution =
        timings.measure("injection", () -> injection.run(recording.base(), results.tree()));
    facts.controlled(recording.facts().controls());
    if (execution.isPresent()) {
      storePatterns(results, store -> false);
      try (Execution ended = execution.get()) {
        if (part.isLast()) {
          finish(recording, parts, budget, results);
        }
        facts.treeIsWhole();
        if (part.isLast()) {
          storeUntested(parts, ended, results);
        }
      }
    }
    results.addEarlier();
  }

  /**
   * What recovery needs beside its own files, such as libraries, may be missing on this machine: it
   * would fail on each image.
   */
  private static void controlHere(RecordedPart part, RunParts parts) {
    if (part.isLast() && !part.recording().campaign().cutsRecovery()) {
      return;
    }
    try {
      parts.controlSetUp(part.recording().base());
    } catch (PowercutException e) {
      throw PowercutException.notTrustworthy(
          "this machine cannot judge the recording: " + e.getMessage());
    }
  }

  /** What is done once, when all parts are there. */
  private void finish(
      StoredRecording recording, RunParts parts, Budget budget, RunResults results) {
    recording.keepIn(directory);
    observation
        .races()
        .ifPresent(
            log ->
                Json.write(
                    directory.racesFile(),
                    directory
                        .races()
                        .map(
                            others ->
                                RaceLog.united(List.of(others, log)).failedIn(others.failures()))
                        .orElse(log)));
    if (campaign.exploresStates()) {
      directory
          .races()
          .ifPresent(
              found ->
                  Json.write(
                      directory.racesFile(),
                      timings.measure(
                          "races",
                          () ->
                              heldWriters(parts, Scope.all(budget))
                                  .confirm(
                                      recording.base(),
                                      observation,
                                      ThreadSchedules.kept(campaign, directory),
                                      found,
                                      results.tree(),
                                      results.ofRecorded(parts.resources()))
                                  .noting(found.limits(), found.serial()))));
    }
  }

  private void storeCampaign() {
    try {
      CampaignWriter.write(campaign, directory.campaignFile());
    } catch (IOException e) {
      throw new UncheckedIOException(FileFailure.at(directory.campaignFile(), e));
    }
  }

  private void inject(RunParts parts, RunResults results) {
    Preparation preparation = parts.preparation();
    preparation.build();
    try (ExecutionDirectories base = preparation.setUp()) {
      keepSetUp(base.pm());
      parts.controlSetUp(base.pm());
      searchDataRaces(parts, base);
      switch (campaign.injection()) {
        case RE_EXECUTED -> reExecute(parts, results, base);
        case RECORDED -> record(parts, results, base);
      }
    } finally {
      parts.noteDeclaredFunctions();
    }
  }

  /** Of a run in several parts, what the first one started from. */
  private void keepSetUp(Path base) {
    SetUpLog now = SetUpFiles.in(base);
    Optional<SetUpLog> before = directory.setUp();
    if (before.isEmpty()) {
      Json.write(directory.setUpFile(), now);
    }
    before
        .flatMap(log -> log.unlikeInNameOrSize(now))
        .ifPresent(
            difference ->
                progress.note(
                    difference.replace("in the run", "in the run before")
                        + "; what was judged stays, but may not come again; remedy: "
                        + SetUpLog.remedy()));
  }

  /** Before the rest, since a target that was compiled in another way is a mistake. */
  private void searchDataRaces(RunParts parts, ExecutionDirectories base) {
    if (looksForPatterns() && campaign.dataRaces().isPresent() && directory.dataRaces().isEmpty()) {
      DataRacesSection section = campaign.dataRaces().get();
      progress.phase(
          "looking for data races, %s"
              .formatted(section.runs() == 1 ? "one run" : section.runs() + " runs"));
      DataRaceLog log =
          timings.measure("dataRaces", () -> parts.dataRaces(section).find(base.pm()));
      Json.write(directory.dataRacesFile(), log);
    }
  }

  private void reExecute(RunParts parts, RunResults results, ExecutionDirectories base) {
    if (facts.hadWholeTree()) {
      results.takeEarlierTree();
    } else {
      recordTree(parts, base, results);
      storePatterns(results, store -> false);
      storeRaces(searchRaces(parts, base), 0);
    }
    facts.treeIsWhole();
    results.markJudged();
    results.store();
    FailurePointTree tree = results.tree();
    progress.phase(
        "injecting at %d of %d failure points, %d at a time"
            .formatted(
                tree.unvisited().stream().filter(one -> isWanted(one.id())).count(),
                tree.size(),
                parts.resources().parallel()),
        tree.unvisited().stream().filter(one -> isWanted(one.id())).count());
    Budget budget = new Budget(campaign, time);
    timings.run(
        "injection",
        () ->
            new ReExecutedInjection(
                    campaign,
                    ThreadSchedules.ordered(
                        parts.target(), ThreadSchedules.kept(campaign, directory)),
                    parts.resources(),
                    new JudgedStops(parts.resources(), parts.judge(), results.ofReExecution()),
                    new Scope(this::isWanted, budget))
                .run(base.pm(), tree));
  }

  private void record(RunParts parts, RunResults results, ExecutionDirectories base) {
    Budget budget = new Budget(campaign, time);
    RaceSeries races = searchRaces(parts, base);
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            parts.workplace(),
            parts.recording(observation, races.best()),
            parts.recoveries(budget::isTimeLeft),
            new Scope(this::isWanted, budget),
            results.logs(parts.resources(), false, true));
    progress.phase(
        "running the target under instrumentation and injecting, %d at a time"
            .formatted(parts.resources().parallel()));
    Optional<Execution> execution =
        timings.measure("injection", () -> injection.run(base.pm(), results.tree()));
    if (execution.isPresent()) {
      storePatterns(results, injection.reads()::isUnread);
      storeRaces(races, races.best());
      try (Execution ended = execution.get()) {
        endOfRecording(parts, base, ended, budget, results);
        confirmRaces(parts, base, budget, results);
        facts.treeIsWhole(); // Before, an interruption leaves something to be done.
        storeUntested(parts, ended, results);
      }
    }
    results.addEarlier();
  }

  /** A clean result is not to be mistaken for a tested program. */
  private void storeUntested(RunParts parts, Execution ended, RunResults results) {
    if (results.isClean()) {
      timings
          .measure("untested", () -> parts.untestedSearch().of(ended))
          .ifPresent(untested -> Json.write(directory.untestedFile(), untested));
    }
  }

  private boolean isWanted(FailurePointId id) {
    return shard.map(part -> part.contains(id)).orElse(true);
  }

  private void recordTree(RunParts parts, ExecutionDirectories base, RunResults results) {
    progress.phase("running the target under instrumentation");
    try (Execution execution =
        timings.measure(
            "instrumentedRun",
            () -> parts.instrumentedRun().run(base.pm(), results.tree(), observation))) {
      parts.control().controlEnd(execution);
      endOfRecording(parts, base, execution, new Budget(campaign, time), results);
      storeUntested(parts, execution, results);
    }
  }

  /** What can be said of the run once its trace has been read. */
  private void endOfRecording(
      RunParts parts,
      ExecutionDirectories base,
      Execution execution,
      Budget budget,
      RunResults results) {
    NothingTested nothing = new NothingTested(campaign, observation);
    nothing.refuse(
        results.tree().size() > 0
            || (isWanted(Occurrence.END.id())
                ? results.hasJudgedTheEnd()
                : nothing.mayTestTheEnd()));
    ThreadSchedules.keep(execution, directory);
    facts.controlled(
        parts
            .negativeControl(
                new NegativeControl.States(
                    base.pm(), execution.places().pm(), execution.acknowledged()))
            .run(budget));
  }

  /**
   * @param isUnread whether recovery reads nothing of what a place stores
   */
  private void storePatterns(RunResults results, Predicate<CallStack> isUnread) {
    timings.run("patterns", () -> results.storePatterns(isUnread));
    if (observation.gaveUpPatterns()) {
      progress.note(
          "the search for patterns was abandoned: the target had more than 64 MB of unflushed persistent"
              + " memory at one time. To run without patterns, set patterns.enabled to false.");
    }
  }

  /**
   * Looks for races in several orders of threads. The one in which most happen is then recorded, so
   * that a crash can be tried for them.
   */
  private RaceSeries searchRaces(RunParts parts, ExecutionDirectories base) {
    int orders = campaign.races().runs();
    boolean isWanted = campaign.races().enabled() && orders > 1;
    RaceRuns runs = new RaceRuns(campaign, campaign.races().options(), parts, progress);
    if (isWanted) {
      progress.phase("looking for races in %d orders of threads".formatted(orders));
    }
    return timings.measure("races", () -> runs.search(base.pm(), isWanted ? 0 : orders));
  }

  /**
   * @param number of the order of threads that was recorded
   */
  private void storeRaces(RaceSeries series, int number) {
    timings
        .measure("races", observation::races)
        .filter(recorded -> looksForPatterns())
        .ifPresent(
            recorded -> {
              series.add(number, recorded);
              Json.write(directory.racesFile(), series.united().orElseThrow());
            });
  }

  /** Tries a crash for races that did not happen in the recorded run. */
  private void confirmRaces(
      RunParts parts, ExecutionDirectories base, Budget budget, RunResults results) {
    Optional<RaceLog> races = campaign.exploresStates() ? directory.races() : Optional.empty();
    races.ifPresent(
        found ->
            Json.write(
                directory.racesFile(),
                timings.measure("races", () -> confirmed(found, parts, base, budget, results))));
  }

  private RaceLog confirmed(
      RaceLog recorded,
      RunParts parts,
      ExecutionDirectories base,
      Budget budget,
      RunResults results) {
    ResultListener listener = results.ofRecorded(parts.resources());
    Scope scope = Scope.all(budget); // No other part makes these runs.
    HeldWriters writers = heldWriters(parts, scope);
    RaceLog held =
        writers
            .confirm(
                base.pm(),
                observation,
                ThreadSchedules.kept(campaign, directory),
                recorded,
                results.tree(),
                listener)
            .noting(recorded.limits(), recorded.serial());
    return new OtherOrder(
            campaign, parts.workplace(), new OrderedRun(campaign, parts, scope), scope)
        .search(base.pm(), writers, held, observation.handsOver(), results.tree(), listener);
  }

  private HeldWriters heldWriters(RunParts parts, Scope scope) {
    return new HeldWriters(
        campaign, parts.workplace(), new OrderedRun(campaign, parts, scope), scope);
  }

  private Report report(RunResults results) {
    isReporting = true;
    results.storeAll();
    return ReportForms.write(campaign, directory, note -> System.err.println("powercut: " + note));
  }
}
