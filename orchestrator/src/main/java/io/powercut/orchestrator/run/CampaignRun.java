// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.dataraces.DataRacesSection;
import io.powercut.campaign.input.FileFailure;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.code.LibrarySymbols;
import io.powercut.orchestrator.code.ProgramLines;
import io.powercut.orchestrator.exit.Failure;
import io.powercut.orchestrator.injection.InjectionLogs;
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
import io.powercut.orchestrator.session.MachineEnvironment;
import io.powercut.orchestrator.session.OwnErrorException;
import io.powercut.orchestrator.session.PmParent;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.NothingTested;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.report.Summary;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.findings.Baseline;
import io.powercut.report.findings.Report;
import io.powercut.report.format.Json;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.rundir.CodeLog;
import io.powercut.report.rundir.DataRaceLog;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.RunLock;
import io.powercut.report.rundir.Shard;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run of a campaign, from the build to the report: build, set-up, control, instrumented run,
 * control, injection at every leaf of the failure-point tree, report.
 */
public final class CampaignRun {
  private final Campaign campaign;
  private final Path campaignFile;
  private final RunDirectory directory;
  private final Optional<Shard> shard;
  private final Optional<Duration> time;
  private final Optional<RecordedPart> recorded;
  private final Progress progress;
  private final Timings timings = new Timings();
  private final Observation observation;
  private final Announcements announcements;
  private final Optional<RunFacts> earlier;
  private final String started;
  private final Map<String, String> environment;
  private FailurePointTree tree;
  private Optional<OracleControls> controls = Optional.empty();

  /** Whether the target was seen to its end, so that the tree has all failure points. */
  private boolean treeIsWhole;

  /** Why Powercut itself could not continue. */
  private Optional<String> stopped = Optional.empty();

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
    this.campaignFile = campaignFile;
    this.directory = directory;
    this.shard = share.shard();
    this.time = share.time();
    this.recorded = share.recorded();
    this.progress = progress;
    this.announcements = new Announcements(progress);
    this.observation =
        recorded
            .filter(part -> part.shard().filter(one -> !one.looksForPatterns()).isPresent())
            .map(part -> Observation.ofPart(campaign))
            .orElseGet(
                () -> Observation.of(campaign, shard.map(Shard::looksForPatterns).orElse(true)));
    this.earlier =
        Files.exists(directory.factsFile()) ? Optional.of(directory.facts()) : Optional.empty();
    this.started = earlier.map(RunFacts::started).orElseGet(CampaignRun::now);
    this.environment = new LinkedHashMap<>(MachineEnvironment.describe(PmParent.of(campaign.pm())));
    this.tree = InstrumentedRun.emptyTree(campaign);
  }

  private static String now() {
    return OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
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
    try {
      return runLocked();
    } finally {
      lock.close();
    }
  }

  private Report runLocked() {
    Baseline.read(campaign.baseline()); // A mistake in it is reported now, not after hours.
    directory.requireReadable();
    directory.clearFailure();
    VerdictLog verdicts = VerdictLog.open(directory.verdictsFile());
    try {
      runIn(verdicts);
    } catch (OwnErrorException e) {
      stopped(e, verdicts);
    } catch (Error e) {
      stopped(new OwnErrorException(e), verdicts);
    } finally {
      progress.close();
    }
    return report(verdicts);
  }

  /** All that was held is free again: what was judged is worth a report. */
  private void stopped(OwnErrorException error, VerdictLog verdicts) {
    String reason = String.valueOf(error.getMessage());
    stopped = Optional.of(reason);
    try {
      addEarlierFindings(verdicts);
      report(verdicts);
    } catch (RuntimeException e) {
      error.addSuppressed(e); // Where nothing can be reported yet, the reason is all there is.
    }
    directory.setFailure(error.text());
    throw PowercutException.notTrustworthy(error.text());
  }

  private void runIn(VerdictLog verdicts) {
    try (Session session = session()) {
      storeCampaign();
      storeFacts();
      RunParts parts = new RunParts(session.context());
      if (recorded.isPresent()) {
        judge(recorded.get(), parts, verdicts);
      } else {
        inject(parts, verdicts);
      }
    } catch (InterruptedRunException e) {
      progress.note("interrupted; to continue, run the same command with --resume");
      addEarlierFindings(verdicts);
    } catch (OwnErrorException e) {
      throw e; // Resources must be free before that is reported.
    } catch (RuntimeException e) {
      directory.setFailure(Failure.of(e).text());
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
  private void judge(RecordedPart part, RunParts parts, VerdictLog verdicts) {
    StoredRecording recording = part.recording();
    controlHere(part, parts);
    Budget budget = new Budget(campaign, time);
    StateLog states = StateLog.open(directory.statesFile());
    RecoveryCrashLog crashes = RecoveryCrashLog.open(directory.recoveryCrashFile());
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            parts.workplace(),
            Recording.of(new StoredRun(campaign, recording, parts.resources()), observation),
            parts.recoveries(budget::isTimeLeft),
            new Scope(part::judges, budget),
            new InjectionLogs(
                keeping(parts.resources(), verdicts, states, crashes),
                verdicts.all().stream()
                    .collect(Collectors.toMap(Judgement::cut, Function.identity())),
                Optional.of(states),
                Optional.of(crashes).filter(log -> part.isLast())));
    progress.phase(
        part.isLast()
            ? "replaying the recorded run"
            : "judging part %s of the recorded run".formatted(part.shard().orElseThrow()));
    Optional<Execution> execution =
        timings.measure("injection", () -> injection.run(recording.base(), tree));
    controls = recording.facts().controls();
    if (execution.isPresent()) {
      storePatterns(store -> false);
      try (Execution ended = execution.get()) {
        if (part.isLast()) {
          finish(recording, parts, budget, verdicts);
        }
        treeIsWhole = true;
        if (part.isLast()) {
          storeUntested(parts, ended, verdicts);
        }
      }
    }
    addEarlierFindings(verdicts);
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
      StoredRecording recording, RunParts parts, Budget budget, VerdictLog verdicts) {
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
    StateLog states = StateLog.open(directory.statesFile());
    RecoveryCrashLog crashes = RecoveryCrashLog.open(directory.recoveryCrashFile());
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
                                      found,
                                      tree,
                                      keeping(parts.resources(), verdicts, states, crashes))
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

  private void inject(RunParts parts, VerdictLog verdicts) {
    Preparation preparation = parts.preparation();
    preparation.build();
    try (ExecutionDirectories base = preparation.setUp()) {
      parts.controlSetUp(base.pm());
      searchDataRaces(parts, base);
      switch (campaign.injection()) {
        case RE_EXECUTED -> reExecute(parts, verdicts, base);
        case RECORDED -> record(parts, verdicts, base);
      }
    } finally {
      parts.noteDeclaredFunctions();
    }
  }

  /** Before the rest, since a target that was compiled in another way is a mistake. */
  private void searchDataRaces(RunParts parts, ExecutionDirectories base) {
    boolean isWanted = shard.map(Shard::looksForPatterns).orElse(true);
    if (isWanted && campaign.dataRaces().isPresent() && directory.dataRaces().isEmpty()) {
      DataRacesSection section = campaign.dataRaces().get();
      progress.phase(
          "looking for data races, %s"
              .formatted(section.runs() == 1 ? "one run" : section.runs() + " runs"));
      DataRaceLog log =
          timings.measure("dataRaces", () -> parts.dataRaces(section).find(base.pm()));
      Json.write(directory.dataRacesFile(), log);
    }
  }

  private void reExecute(RunParts parts, VerdictLog verdicts, ExecutionDirectories base) {
    if (earlier.map(RunFacts::treeIsWhole).orElse(false)) {
      tree = directory.tree();
    } else {
      recordTree(parts, base, verdicts);
      storePatterns(store -> false);
      storeRaces(searchRaces(parts, base), 0);
    }
    treeIsWhole = true;
    markJudged(verdicts);
    store();
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
                    new JudgedStops(parts.resources(), parts.judge(), keeping(verdicts)),
                    new Scope(this::isWanted, budget))
                .run(base.pm(), tree));
  }

  private void record(RunParts parts, VerdictLog verdicts, ExecutionDirectories base) {
    Budget budget = new Budget(campaign, time);
    StateLog states = StateLog.open(directory.statesFile());
    RaceSeries races = searchRaces(parts, base);
    RecoveryCrashLog recoveryCrashes = RecoveryCrashLog.open(directory.recoveryCrashFile());
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            parts.workplace(),
            parts.recording(observation, races.best()),
            parts.recoveries(budget::isTimeLeft),
            new Scope(this::isWanted, budget),
            new InjectionLogs(
                keeping(parts.resources(), verdicts, states, recoveryCrashes),
                judgedOccurrences(verdicts),
                Optional.of(states),
                Optional.of(recoveryCrashes)));
    progress.phase(
        "running the target under instrumentation and injecting, %d at a time"
            .formatted(parts.resources().parallel()));
    Optional<Execution> execution =
        timings.measure("injection", () -> injection.run(base.pm(), tree));
    if (execution.isPresent()) {
      storePatterns(injection.reads()::isUnread);
      storeRaces(races, races.best());
      try (Execution ended = execution.get()) {
        endOfRecording(parts, base, ended, budget);
        confirmRaces(
            parts, base, budget, keeping(parts.resources(), verdicts, states, recoveryCrashes));
        treeIsWhole = true; // Before, an interruption leaves something to be done.
        storeUntested(parts, ended, verdicts);
      }
    }
    addEarlierFindings(verdicts);
  }

  /** A clean result is not to be mistaken for a tested program. */
  private void storeUntested(RunParts parts, Execution ended, VerdictLog verdicts) {
    boolean isClean =
        verdicts.all().stream().noneMatch(Judgement::isBug)
            && StateLog.open(directory.statesFile()).findings().isEmpty();
    if (isClean) {
      timings
          .measure("untested", () -> parts.untestedSearch().of(ended))
          .ifPresent(untested -> Json.write(directory.untestedFile(), untested));
    }
  }

  private boolean isWanted(FailurePointId id) {
    return shard.map(part -> part.contains(id)).orElse(true);
  }

  /** Logs verdicts of re-execution and announces bugs. */
  private ResultListener keeping(VerdictLog verdicts) {
    return judgement -> {
      verdicts.add(judgement);
      announcements.judged(judgement, tree.size());
    };
  }

  /** Logs all results and announces bugs. */
  private ResultListener keeping(
      Resources resources, VerdictLog verdicts, StateLog states, RecoveryCrashLog crashes) {
    return new ResultListener() {
      @Override
      public void judged(Judgement judgement) {
        keep(resources, verdicts, judgement);
      }

      @Override
      public void explored(StateVerdicts found) {
        states.add(found);
        announcements.explored(found, tree.size());
      }

      @Override
      public void cut(RecoveryCrashVerdicts found) {
        crashes.add(found);
      }
    };
  }

  /** Workers come with their verdicts at the same time, and two bugs write the same files. */
  private synchronized void keep(Resources resources, VerdictLog verdicts, Judgement judgement) {
    resources.checkInterrupted();
    tree.visit(judgement.failurePointId());
    verdicts.add(judgement);
    announcements.judged(judgement, tree.size());
    if (judgement.isBug()) {
      store();
    }
  }

  private static Map<Occurrence, Judgement> judgedOccurrences(VerdictLog verdicts) {
    return verdicts.all().stream()
        .filter(judgement -> judgement.kind() != Verdict.Kind.INCONCLUSIVE)
        .collect(Collectors.toMap(Judgement::cut, Function.identity()));
  }

  /** A failure point that this execution did not reach keeps the verdict of an earlier part. */
  private void addEarlierFindings(VerdictLog verdicts) {
    if (Files.exists(directory.treeFile())) {
      for (FailurePoint known : directory.tree().failurePoints()) {
        if (tree.find(known.id()).isEmpty() && verdicts.find(known.id()).isPresent()) {
          tree.reach(known.stack(), known.instruction(), known.firstOrdinal());
        }
      }
    }
    markJudged(verdicts);
  }

  private void recordTree(RunParts parts, ExecutionDirectories base, VerdictLog verdicts) {
    progress.phase("running the target under instrumentation");
    try (Execution execution =
        timings.measure(
            "instrumentedRun", () -> parts.instrumentedRun().run(base.pm(), tree, observation))) {
      parts.control().controlEnd(execution);
      endOfRecording(parts, base, execution, new Budget(campaign, time));
      storeUntested(parts, execution, verdicts);
    }
  }

  /** What can be said of the run once its trace has been read. */
  private void endOfRecording(
      RunParts parts, ExecutionDirectories base, Execution execution, Budget budget) {
    new NothingTested(campaign.failurePoints(), observation)
        .refuse(tree.size() > 0 || StateLog.open(directory.statesFile()).hasJudgedTheEnd());
    ThreadSchedules.keep(execution, directory);
    controls =
        parts
            .negativeControl(
                new NegativeControl.States(
                    base.pm(), execution.places().pm(), execution.acknowledged()))
            .run(budget);
  }

  private void markJudged(VerdictLog verdicts) {
    for (FailurePoint failurePoint : tree.failurePoints()) {
      boolean judged =
          verdicts
              .find(failurePoint.id())
              .filter(judgement -> judgement.kind() != Verdict.Kind.INCONCLUSIVE)
              .isPresent();
      if (judged) {
        tree.visit(failurePoint.id());
      } else {
        tree.forgetVisit(failurePoint.id());
      }
    }
  }

  private void store() {
    try {
      TreeFile.write(tree, directory.treeFile());
    } catch (IOException e) {
      throw new UncheckedIOException(FileFailure.at(directory.treeFile(), e));
    }
    storeFacts();
  }

  /**
   * @param isUnread whether recovery reads nothing of what a place stores
   */
  private void storePatterns(Predicate<CallStack> isUnread) {
    Optional<PatternLog> patterns =
        timings.measure("patterns", () -> observation.patterns(isUnread));
    patterns.ifPresent(log -> Json.write(directory.patternsFile(), log));
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
        .ifPresent(
            recorded -> {
              series.add(number, recorded);
              Json.write(directory.racesFile(), series.united().orElseThrow());
            });
  }

  /** Tries a crash for races that did not happen in the recorded run. */
  private void confirmRaces(
      RunParts parts, ExecutionDirectories base, Budget budget, ResultListener results) {
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
      ResultListener results) {
    Scope scope = new Scope(this::isWanted, budget);
    RaceLog held =
        heldWriters(parts, scope)
            .confirm(base.pm(), observation, recorded, tree, results)
            .noting(recorded.limits(), recorded.serial());
    return new OtherOrder(
            campaign, parts.workplace(), new OrderedRun(campaign, parts, scope), scope)
        .search(base.pm(), held, tree, results);
  }

  private HeldWriters heldWriters(RunParts parts, Scope scope) {
    return new HeldWriters(
        campaign, parts.workplace(), new OrderedRun(campaign, parts, scope), scope);
  }

  /** The sources are read while they are those of the target. */
  private void storeCode(VerdictLog verdicts) {
    CodePlaces places = new CodePlaces(observation::module);
    CodeLog known = directory.code();
    Map<FailurePointId, String> code = new LinkedHashMap<>(known.byFailurePoint());
    for (Judgement judgement : verdicts.all()) {
      if (judgement.isBug()) {
        FailurePointId id = judgement.failurePointId();
        tree.find(id)
            .ifPresent(
                point ->
                    code.computeIfAbsent(
                        id, unknown -> places.of(codeToFix(TargetStack.of(point.stack())))));
      }
    }
    Json.write(directory.codeFile(), new CodeLog(code));
  }

  /**
   * Only a recorded run knows what was stored where each time: to resume a re-executed one, the
   * target is not traced again.
   */
  private List<StackFrame> codeToFix(List<StackFrame> stack) {
    return campaign.injection() == InjectionMode.RECORDED
        ? observation.storing().withoutThoseThatOnlyPersist(stack)
        : stack;
  }

  private void storeFacts() {
    String buildId = observation.buildId(tree.program());
    Json.write(
        directory.factsFile(),
        new RunFacts(
            campaignFile.toAbsolutePath().toString(),
            started,
            treeIsWhole,
            buildId.isEmpty() ? earlier.map(RunFacts::targetBuildId).orElse("") : buildId,
            shard,
            recorded.flatMap(part -> earlier).map(RunFacts::missingParts).orElse(List.of()),
            timings.seconds(),
            environment,
            controls.or(() -> earlier.flatMap(RunFacts::controls)),
            observation.outside().or(() -> earlier.flatMap(RunFacts::outside)),
            stopped));
  }

  private List<List<StackFrame>> storesToBlame() {
    return StateLog.open(directory.statesFile()).findings().stream()
        .flatMap(judgement -> judgement.state().stream())
        .flatMap(state -> Stream.concat(state.lost().stream(), state.arrived().stream()))
        .map(store -> store.store().stack())
        .toList();
  }

  private Report report(VerdictLog verdicts) {
    new ImagesOfBugs(observation, tree, directory).storeChanges(verdicts);
    storeCode(verdicts);
    LibrarySymbols.ofThisMachine()
        .advice(tree, storesToBlame(), observation::module)
        .ifPresent(advice -> environment.put(Summary.WITHOUT_SYMBOLS, advice));
    ProgramLines.advice(tree, storesToBlame(), observation::module)
        .ifPresent(advice -> environment.put(Summary.WITHOUT_LINES, advice));
    store();
    return ReportForms.write(campaign, directory, note -> System.err.println("powercut: " + note));
  }
}
