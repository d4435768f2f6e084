// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.DumpSection;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmArea;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.RecoveryStep;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.assembly.SetUpFiles;
import io.powercut.orchestrator.code.BuildId;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.judging.CopiedImages;
import io.powercut.orchestrator.judging.CrashImageJudge;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Commands;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.orchestrator.target.ScheduleLostException;
import io.powercut.orchestrator.target.TargetOutcome;
import io.powercut.orchestrator.target.TargetProgram;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.process.CommandSpec;
import io.powercut.recorder.RecorderOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.SetUpLog;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.LeavesFile;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Re-executes a run's target to one failure point and lets recovery judge the image again. */
public final class Replay {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final FailurePointTree tree;
  private final Progress progress;
  private boolean isRebuilt;

  /** What set-up gave otherwise than in the run. */
  private Optional<String> otherSetUp = Optional.empty();

  private Optional<Path> changedInRecovery = Optional.empty();

  /**
   * @param campaign of the run
   * @param directory of the run; its tree must be there
   * @throws PowercutException if the run has no tree yet
   */
  public Replay(Campaign campaign, RunDirectory directory, Progress progress) {
    this.campaign = campaign;
    this.directory = directory;
    this.progress = progress;
    this.tree = directory.tree();
  }

  /**
   * Finds what is to be replayed.
   *
   * @throws PowercutException if there is no such thing, or more than one
   */
  public ReplayedCut choose(ReplayRequest request) {
    return new ReplayChoice(campaign, directory, tree).choose(request);
  }

  /**
   * What a replay gave.
   *
   * @param image where the crash image is kept
   * @param judgement what recovery made of it
   */
  public record Outcome(Path image, Judgement judgement) {}

  /**
   * Replays a cut.
   *
   * @param keep where the image is to be kept: a directory that is empty or not there
   * @param debugger what to do instead of asking the oracle; with {@link DebuggerChoice#TARGET},
   *     the target stands before the (first) cut's instruction
   * @return nothing when the failure point was not reached again, or the state was not possible
   *     this time, or the debugger was used
   */
  public Optional<Outcome> replay(ReplayedCut cut, Path keep, DebuggerChoice debugger) {
    try (Session session = Session.open(campaign, directory, progress, new Timings())) {
      RunContext context = session.context();
      RunParts parts = new RunParts(context);
      Preparation preparation = parts.preparation();
      preparation.build();
      try (ExecutionDirectories base = preparation.setUp()) {
        isRebuilt = isOfAnotherBuild(context.commands(), base);
        SetUpLog now = SetUpFiles.in(base.pm());
        otherSetUp = directory.setUp().flatMap(before -> before.unlike(now));
        if (debugger == DebuggerChoice.TARGET) {
          debugTarget(context, parts, base, cut.occurrence());
          return Optional.empty();
        }
        Optional<RecoveryDebugger> onRecovery =
            debugger == DebuggerChoice.RECOVERY
                ? Optional.of(
                    new RecoveryDebugger(parts.recoverySteps(), progress, new DebuggerOnTerminal()))
                : Optional.empty();
        return replay(cut, order -> new Attempt(parts, base, keep, onRecovery, order));
      }
    } catch (OutOfSpaceException e) {
      throw PowercutException.notTrustworthy(e.getMessage());
    } catch (IOException e) {
      throw PowercutException.notTrustworthy("cannot keep the image: " + FileProblem.of(e).text());
    } finally {
      progress.close();
    }
  }

  /**
   * Lets the threads run as they did in the recorded run. If they cannot, since something outside
   * the target came at another time, they run in any order.
   */
  private Optional<Outcome> replay(ReplayedCut cut, Function<Orders, Attempt> attempts)
      throws IOException {
    try {
      return cut.accept(
          attempts.apply(
              occurrence -> ThreadSchedules.kept(campaign, directory, occurrence.order())));
    } catch (ScheduleLostException e) {
      progress.note(String.valueOf(e.getMessage()));
      if (cut.occurrence().order() != 0) {
        return Optional.empty(); // The order is a part of what was found.
      }
      progress.note("trying again with the threads in any order");
      return cut.accept(attempts.apply(occurrence -> ThreadSchedules.notKept(campaign, directory)));
    }
  }

  private boolean isOfAnotherBuild(Commands commands, ExecutionDirectories places) {
    String before = directory.facts().targetBuildId();
    CommandSpec target =
        commands
            .bounded(
                commands.expand(campaign.target().command(), places),
                campaign.target().timeout(),
                places)
            .build();
    Optional<String> now = BuildId.of(TargetProgram.path(target));
    if (before.isEmpty() || now.isEmpty() || now.get().equals(before)) {
      return false;
    }
    progress.note(
        "the target was rebuilt since the run: its build id was %s and is %s"
            .formatted(before, now.get()));
    return true;
  }

  private void debugTarget(
      RunContext context, RunParts parts, ExecutionDirectories base, Occurrence occurrence)
      throws IOException {
    TargetDebugger gdb =
        new TargetDebugger(
            campaign.target(),
            parts.target(),
            context.supervisors(),
            context.resources(),
            progress,
            new DebuggerOnTerminal());
    try (Execution execution = Execution.startingFrom(base.pm(), context.area())) {
      gdb.open(execution, options(context.area(), execution, occurrence));
    }
  }

  private static String recordingUpTo(Occurrence occurrence) {
    return "recording the target up to failure point " + occurrence.id();
  }

  /** In which order the threads run up to an occurrence. */
  private interface Orders {
    ThreadSchedule of(Occurrence occurrence);
  }

  /** One try to come to a cut again. */
  private final class Attempt implements ReplayedCut.Visitor<Optional<Outcome>, IOException> {
    private final RunParts parts;
    private final PmArea area;
    private final ExecutionDirectories base;
    private final Path keep;
    private final Optional<RecoveryDebugger> debugger;
    private final Orders orders;

    /**
     * @param debugger is opened on recovery, in the oracle's place
     */
    Attempt(
        RunParts parts,
        ExecutionDirectories base,
        Path keep,
        Optional<RecoveryDebugger> debugger,
        Orders orders) {
      this.parts = parts;
      this.area = parts.resources().area();
      this.base = base;
      this.keep = keep;
      this.debugger = debugger;
      this.orders = orders;
    }

    /** Records the target again up to the failure point and rebuilds the state from the trace. */
    @Override
    public Optional<Outcome> visit(ReplayedCut.InState cut) throws IOException {
      try (AcknowledgedLog log = parts.acknowledgedLog()) {
        progress.phase(recordingUpTo(cut.occurrence()));
        if (cut.state().isPresent() && isTooLarge(cut.state().get(), cut)) {
          return Optional.empty();
        }
        RebuiltState.Result result =
            rebuilt(WantedState.of(cut.found()), cut.occurrence(), keep, log);
        if (result != RebuiltState.Result.WRITTEN) {
          progress.note(
              result == RebuiltState.Result.NOT_REACHED
                  ? "the failure point was not reached again"
                  : "the state is not possible in this execution");
          return Optional.empty();
        }
        CopiedImages images =
            new CopiedImages(keep, log.now(), area).expecting(keptDumps(cut.judged()));
        Path evidence =
            directory.imageDirectory(cut.occurrence(), cut.found().stateId().orElseThrow());
        return ask(log, cut, images, judge -> judge.judge(cut.occurrence(), images, evidence));
      }
    }

    /**
     * Records the target again up to the first cut, and recovery on what that left up to the
     * second.
     */
    @Override
    public Optional<Outcome> visit(ReplayedCut.InRecovery cut) throws IOException {
      RecoveryCrash again = cut.found().cut();
      if (cut.state().isPresent() && isTooLarge(cut.state().get(), cut)) {
        return Optional.empty();
      }
      WantedState state = new WantedState(cut.state().map(JudgedState::lines).orElse(List.of()));
      try (ExecutionDirectories first = ExecutionDirectories.in(area);
          AcknowledgedLog log = parts.acknowledgedLog()) {
        progress.phase(recordingUpTo(cut.occurrence()));
        WantedState all = new WantedState(List.of());
        if (rebuilt(all, cut.occurrence(), first.pm(), log) != RebuiltState.Result.WRITTEN) {
          progress.note("the first failure point was not reached again");
          return Optional.empty();
        }
        progress.phase("recording recovery up to failure point " + again.place());
        CopiedImages before = new CopiedImages(first.pm(), log.now(), area);
        if (!new RebuiltSecond(parts.recordedRecovery(() -> true), progress, again, state)
            .on(before, keep)) {
          changedInRecovery = newerFileOfRecovery();
          progress.note(
              "the failure point of recovery was not reached again"
                  + (cut.state().isPresent() ? ", or the state is not possible there" : ""));
          return Optional.empty();
        }
        CopiedImages images = new CopiedImages(keep, log.now(), area);
        return ask(log, cut, images, judge -> judge.probe(cut.occurrence(), images));
      }
    }

    private Optional<Path> newerFileOfRecovery() throws IOException {
      return NewerFiles.first(
          parts.recoverySteps().on(base).stream().map(RecoveryStep::command).toList(),
          Files.getLastModifiedTime(directory.factsFile()),
          List.of(base.pm(), base.scratch()));
    }

    private boolean isTooLarge(JudgedState state, ReplayedCut cut) {
      if (state.lines().isEmpty()) {
        progress.note(
            "the state differs in too many lines from program order to be rebuilt; its image is "
                + directory.imageDirectory(cut.occurrence(), state.id()).resolve("pm"));
      }
      return state.lines().isEmpty();
    }

    @Override
    public Optional<Outcome> visit(ReplayedCut.InProgramOrder cut) throws IOException {
      try (Execution execution = Execution.startingFrom(base.pm(), area)) {
        progress.phase("running the target to failure point " + cut.occurrence().id());
        TargetOutcome outcome =
            parts
                .target()
                .run(
                    execution,
                    options(area, execution, cut.occurrence())
                        .schedule(orders.of(cut.occurrence()))
                        .build());
        parts.resources().checkInterrupted();
        outcome.requireSchedule();
        if (outcome.control().flatMap(ControlFile::stopped).isEmpty()) {
          progress.note("the failure point was not reached again: " + outcome.describe());
          return Optional.empty();
        }
        DirectoryCopy.copy(execution.places().pm(), keep);
        try (AcknowledgedLog log =
            AcknowledgedLog.of(campaign.acknowledgedOutputs(), area, execution)) {
          CopiedImages images =
              new CopiedImages(execution.places().pm(), log.now(), area)
                  .expecting(keptDumps(cut.judged()));
          return ask(log, cut, images, judge -> judge.judge(cut.occurrence(), images));
        }
      }
    }

    private RebuiltState.Result rebuilt(
        WantedState wanted, Occurrence occurrence, Path image, AcknowledgedLog log)
        throws IOException {
      InstrumentedRun again =
          new InstrumentedRun(
              campaign,
              ThreadSchedules.ordered(parts.target(), orders.of(occurrence)),
              parts.resources(),
              progress);
      return new RebuiltState(campaign, again, parts.resources(), wanted)
          .at(occurrence, base.pm(), image, log);
    }

    /** Asks the oracle, or opens a debugger in its place. */
    private Optional<Outcome> ask(
        AcknowledgedLog log,
        ReplayedCut cut,
        CopiedImages images,
        Function<CrashImageJudge, Judgement> question)
        throws IOException {
      keepAcknowledged(log, keep);
      tellOfAnotherImage(cut, keep);
      if (debugger.isPresent()) {
        debugger.get().open(images, cut.step());
        return Optional.empty();
      }
      progress.phase("running recovery on the image");
      Outcome outcome = new Outcome(keep, question.apply(parts.judge()));
      tellWhySound(cut, outcome.judgement());
      return Optional.of(outcome);
    }
  }

  /** Why what was found may not come again, as far as that is known; only after a replay. */
  public Optional<String> doubt(ReplayedCut cut) {
    if (isRebuilt) {
      return Optional.of("the target was rebuilt since the run, so run the campaign again");
    }
    long known = cut.point().occurrences();
    if (cut.occurrence().number() > known) {
      return Optional.of(
          "the run had %d of its occurrences, and this is number %d"
              .formatted(known, cut.occurrence().number()));
    }
    return changedInRecovery
        .map("%s was written since the run, so run the campaign again"::formatted)
        .or(() -> otherSetUp.map(Replay::withRemedy));
  }

  private void tellOfAnotherImage(ReplayedCut cut, Path image) throws IOException {
    Optional<String> judged = cut.judged().flatMap(Judgement::imageHash);
    if (judged.isPresent() && !judged.get().equals(ImageHash.of(image).toString())) {
      progress.note(
          "the image differs from the judged one: "
              + (isRebuilt
                  ? "the target was rebuilt since"
                  : otherSetUp.orElse("the target does not do the same in every run")));
    }
  }

  /** What was bad in the run is not this time. */
  private void tellWhySound(ReplayedCut cut, Judgement again) {
    boolean wasBad =
        cut.judged().filter(before -> before.kind() != Verdict.Kind.CONSISTENT).isPresent();
    if (wasBad && again.kind() == Verdict.Kind.CONSISTENT && !isRebuilt) {
      otherSetUp.map(Replay::withRemedy).ifPresent(progress::note);
    }
  }

  private static String withRemedy(String otherSetUp) {
    return otherSetUp + "; remedy: " + SetUpLog.remedy();
  }

  /** What the finding's image was compared with. */
  private Optional<ExpectedDumps> keptDumps(Optional<Judgement> found) throws IOException {
    if (campaign.dump().isEmpty()) {
      return Optional.empty();
    }
    Optional<Path> image = found.flatMap(Judgement::image).map(directory.path()::resolve);
    Optional<ExpectedDumps> kept =
        image.isPresent()
            ? ExpectedDumps.keptIn(image.get().resolveSibling("evidence").resolve(DumpSection.STEP))
            : Optional.empty();
    if (kept.isEmpty()) {
      progress.note("the run kept no dumps for this image, so its contents are not compared");
    }
    return kept;
  }

  /** Beside the image. */
  private void keepAcknowledged(AcknowledgedLog log, Path image) throws IOException {
    if (log.now().isPresent()) {
      Acknowledgement told = log.now().get();
      Path file = image.resolveSibling(image.getFileName() + ".acknowledged");
      told.writeTo(file);
      progress.note("acknowledged: %s (%s)".formatted(told.describe().inWords(), file));
    }
  }

  private RecorderOptions.Builder options(PmArea area, Execution execution, Occurrence wanted)
      throws IOException {
    for (FailurePoint point : tree.failurePoints()) {
      if (point.id().equals(wanted.id())) {
        tree.forgetVisit(wanted.id());
      } else {
        tree.visit(point.id());
      }
    }
    LeavesFile leaves = LeavesFile.write(area.root().resolve("leaves"), tree);
    return RecorderChoices.of(campaign, execution.places().pm(), execution.trace())
        .leaves(leaves.path())
        .occurrence(Math.toIntExact(wanted.number()))
        .recordEvents(false)
        .schedule(ThreadSchedules.kept(campaign, directory, wanted.order()));
  }

  /** A failure point's call stack as reports show it, innermost first. */
  public static List<StackFrame> frames(FailurePoint point) {
    return TargetStack.of(point.stack());
  }
}
