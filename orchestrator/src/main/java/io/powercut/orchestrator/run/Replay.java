package io.powercut.orchestrator.run;

import io.powercut.image.DirectoryCopy;
import io.powercut.image.OutOfSpaceException;
import io.powercut.instrumentation.RecorderOptions;
import io.powercut.instrumentation.trace.ControlFile;
import io.powercut.instrumentation.trace.LeavesFile;
import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.orchestrator.campaign.DumpSection;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.report.JudgedState;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.StackFrame;
import io.powercut.orchestrator.report.TargetStack;
import io.powercut.orchestrator.results.NotTrustworthyException;
import io.powercut.orchestrator.results.RunDirectory;
import io.powercut.orchestrator.results.SecondFinding;
import io.powercut.orchestrator.results.SecondLog;
import io.powercut.orchestrator.results.StateLog;
import io.powercut.orchestrator.results.VerdictLog;
import io.powercut.orchestrator.results.Visit;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Re-executes a run's target to one failure point and lets recovery judge the image again. */
public final class Replay {
  private final Campaign campaign;
  private final RunDirectory directory;
  private final FailurePointTree tree;
  private final Progress progress;

  /**
   * @param campaign of the run
   * @param directory of the run; its tree must be there
   * @throws NotTrustworthyException if the run has no tree yet
   */
  public Replay(Campaign campaign, RunDirectory directory, Progress progress) {
    this.campaign = campaign;
    this.directory = directory;
    this.progress = progress;
    this.tree = directory.tree();
  }

  /**
   * Finds the failure point to replay.
   *
   * @param id 16 hexadecimal digits or the beginning of one leaf's; nothing for the run's first
   *     finding
   * @throws NotTrustworthyException if there is no such failure point, or more than one
   */
  public FailurePoint choose(Optional<String> id) {
    return id.map(this::byId).orElseGet(this::firstFinding);
  }

  private FailurePoint byId(String prefix) {
    List<FailurePoint> found =
        tree.failurePoints().stream()
            .filter(
                point ->
                    point.id().toString().startsWith(prefix.toLowerCase(java.util.Locale.ROOT)))
            .toList();
    if (found.size() != 1) {
      throw new NotTrustworthyException(
          "the run has %s failure point %s; \"powercut tree %s\" lists them."
              .formatted(found.isEmpty() ? "no" : "more than one", prefix, directory.path()));
    }
    return found.get(0);
  }

  private FailurePoint firstFinding() {
    VerdictLog verdicts = VerdictLog.open(directory.verdictsFile());
    return tree.failurePoints().stream()
        .filter(point -> verdicts.find(point.id().toString()).filter(Judgement::isBug).isPresent())
        .findFirst()
        .or(this::firstStateFinding)
        .or(this::firstSecondFinding)
        .orElseThrow(
            () ->
                new NotTrustworthyException(
                    "the run has no finding to replay; name a failure point, see \"powercut tree "
                        + directory.path()
                        + "\"."));
  }

  private Optional<FailurePoint> firstStateFinding() {
    return StateLog.open(directory.statesFile()).findings().stream()
        .flatMap(one -> tree.find(FailurePointId.parse(one.failurePointId())).stream())
        .findFirst();
  }

  private Optional<FailurePoint> firstSecondFinding() {
    return SecondLog.open(directory.secondFile()).findings().stream()
        .flatMap(one -> tree.find(FailurePointId.parse(one.judgement().failurePointId())).stream())
        .findFirst();
  }

  private long visitOf(FailurePointId id) {
    return VerdictLog.open(directory.verdictsFile())
        .find(id.toString())
        .map(Judgement::visit)
        .orElse(1L);
  }

  /**
   * What a replay gave.
   *
   * @param image where the crash image is kept
   * @param judgement what recovery made of it
   */
  public record Outcome(Path image, Judgement judgement) {}

  /**
   * Finds the crash state to replay.
   *
   * @param point where it is
   * @param id 16 hexadecimal digits or the beginning of one state's; nothing for the state of the
   *     run's verdict, if that is not about program order
   * @return nothing for program order
   * @throws NotTrustworthyException if there is no such state, or more than one
   */
  public Optional<Judgement> chooseState(FailurePoint point, Optional<String> id) {
    List<Judgement> known =
        StateLog.open(directory.statesFile()).findings().stream()
            .filter(judgement -> judgement.failurePointId().equals(point.id().toString()))
            .toList();
    if (id.isEmpty()) {
      return isBrokenInProgramOrder(point) ? Optional.empty() : known.stream().findFirst();
    }
    List<Judgement> found =
        known.stream()
            .filter(one -> one.state().map(state -> state.id().startsWith(id.get())).orElse(false))
            .toList();
    if (found.size() != 1) {
      throw new NotTrustworthyException(
          "the run has %s state %s at failure point %s; %s has the states of its findings."
              .formatted(
                  found.isEmpty() ? "no" : "more than one",
                  id.get(),
                  point.id(),
                  directory.statesFile()));
    }
    return Optional.of(found.get(0));
  }

  /**
   * Finds the second crash to replay.
   *
   * @param point of the first one
   * @param id the failure point of recovery, 16 hexadecimal digits or the beginning of them;
   *     nothing for that of the run's finding, if there is none without a second crash
   * @return nothing if no second crash is to be replayed
   * @throws NotTrustworthyException if there is no such finding, or more than one
   */
  public Optional<SecondFinding> chooseSecond(FailurePoint point, Optional<String> id) {
    List<SecondFinding> known =
        SecondLog.open(directory.secondFile()).findings().stream()
            .filter(one -> one.judgement().failurePointId().equals(point.id().toString()))
            .toList();
    if (id.isEmpty()) {
      boolean isBrokenByOne =
          isBrokenInProgramOrder(point) || chooseState(point, Optional.empty()).isPresent();
      return isBrokenByOne ? Optional.empty() : known.stream().findFirst();
    }
    List<SecondFinding> found =
        known.stream().filter(one -> one.cut().failurePointId().startsWith(id.get())).toList();
    if (found.size() != 1) {
      throw new NotTrustworthyException(
          "the run has %s second crash %s on the image of failure point %s; %s has those of its findings."
              .formatted(
                  found.isEmpty() ? "no" : "more than one",
                  id.get(),
                  point.id(),
                  directory.secondFile()));
    }
    return Optional.of(found.get(0));
  }

  private boolean isBrokenInProgramOrder(FailurePoint point) {
    return VerdictLog.open(directory.verdictsFile())
        .find(point.id().toString())
        .filter(Judgement::isBug)
        .isPresent();
  }

  /**
   * Replays a crash state: records the target again up to the failure point and rebuilds the state
   * from the trace.
   *
   * @param found with the state
   * @param keep where the image is to be kept: a directory that is empty or not there
   * @param debugger {@link DebuggerChoice#RECOVERY} or {@link DebuggerChoice#NONE}
   * @return nothing when the state was not possible this time, or the debugger was used
   */
  public Optional<Outcome> replayState(Judgement found, Path keep, DebuggerChoice debugger) {
    Visit visit = new Visit(FailurePointId.parse(found.failurePointId()), found.visit());
    try (Session session = Session.open(campaign, directory, progress, new Timings())) {
      RunContext context = session.context();
      Preparation preparation = new Preparation(context);
      preparation.build();
      try (Places base = preparation.setUp();
          AcknowledgedLog log = AcknowledgedLog.open(context)) {
        progress.phase(recordingUpTo(visit));
        boolean isThere =
            new RebuiltState(context, found.state().orElseThrow().lines())
                .at(visit, base.pm(), keep, log);
        if (!isThere) {
          progress.note("the state was not possible this time");
          return Optional.empty();
        }
        keepAcknowledged(log, keep);
        CopiedImages images =
            new CopiedImages(keep, log.now(), context.area())
                .expecting(keptDumps(Optional.of(found)));
        if (debugger == DebuggerChoice.RECOVERY) {
          new Debugger(context).onRecovery(images, found.step());
          return Optional.empty();
        }
        progress.phase("running recovery on the image");
        Path evidence =
            directory.imageDirectory(visit, found.state().map(JudgedState::id).orElseThrow());
        Judgement judgement = new ImageJudge(context).judge(visit, images, evidence);
        return Optional.of(new Outcome(keep, judgement));
      }
    } catch (IOException e) {
      throw new NotTrustworthyException("cannot keep the image: " + e.getMessage());
    } finally {
      progress.close();
    }
  }

  private static String recordingUpTo(Visit visit) {
    return "recording the target up to failure point " + visit.id();
  }

  /**
   * Replays a second crash: records the target again up to the first one, and recovery on what that
   * left up to the second.
   *
   * @param keep where the image that the second crash leaves is to be kept: a directory that is
   *     empty or not there
   * @param debugger {@link DebuggerChoice#RECOVERY} or {@link DebuggerChoice#NONE}
   * @return nothing when one of them was not reached again, or the debugger was used
   */
  public Optional<Outcome> replaySecond(SecondFinding found, Path keep, DebuggerChoice debugger) {
    Judgement proof = found.judgement();
    Visit visit = new Visit(FailurePointId.parse(proof.failurePointId()), proof.visit());
    try (Session session = Session.open(campaign, directory, progress, new Timings())) {
      RunContext context = session.context();
      Preparation preparation = new Preparation(context);
      preparation.build();
      try (Places base = preparation.setUp();
          Places first = Places.in(context.area());
          AcknowledgedLog log = AcknowledgedLog.open(context)) {
        progress.phase(recordingUpTo(visit));
        if (!new RebuiltState(context, List.of()).at(visit, base.pm(), first.pm(), log)) {
          progress.note("the first failure point was not reached again");
          return Optional.empty();
        }
        progress.phase("recording recovery up to failure point " + found.cut().failurePointId());
        CopiedImages before = new CopiedImages(first.pm(), log.now(), context.area());
        if (!new RebuiltSecond(context, found.cut()).on(before, keep)) {
          progress.note("the failure point of recovery was not reached again");
          return Optional.empty();
        }
        keepAcknowledged(log, keep);
        CopiedImages images = new CopiedImages(keep, log.now(), context.area());
        if (debugger == DebuggerChoice.RECOVERY) {
          new Debugger(context).onRecovery(images, proof.step());
          return Optional.empty();
        }
        progress.phase("running recovery on the image");
        return Optional.of(new Outcome(keep, new ImageJudge(context).probe(visit, images)));
      }
    } catch (IOException e) {
      throw new NotTrustworthyException("cannot keep the image: " + e.getMessage());
    } finally {
      progress.close();
    }
  }

  /**
   * Replays a failure point.
   *
   * @param point where the power is cut
   * @param visit at which visit of it, from 1; nothing for the one that the run's verdict is about
   * @param keep where the image is to be kept: a directory that is empty or not there
   * @param debugger what to do instead of asking the oracle; nothing to ask it
   * @return nothing when the failure point was not reached again, or the debugger was used
   */
  public Optional<Outcome> replay(
      FailurePoint point, Optional<Long> visit, Path keep, DebuggerChoice debugger) {
    Visit wanted = new Visit(point.id(), visit.orElseGet(() -> visitOf(point.id())));
    try (Session session = Session.open(campaign, directory, progress, new Timings())) {
      RunContext context = session.context();
      Preparation preparation = new Preparation(context);
      preparation.build();
      try (Places base = preparation.setUp();
          Execution execution = Execution.startingFrom(base.pm(), context.area())) {
        RecorderOptions.Builder options = options(context, execution, wanted);
        if (debugger == DebuggerChoice.TARGET) {
          new Debugger(context).onTarget(execution, options);
          return Optional.empty();
        }
        progress.phase("running the target to failure point " + point.id());
        TargetOutcome outcome = new TargetRunner(context).run(execution, options.build());
        context.checkInterrupted();
        if (outcome.control().flatMap(ControlFile::stopped).isEmpty()) {
          progress.note("the failure point was not reached again: " + outcome.describe());
          return Optional.empty();
        }
        DirectoryCopy.copy(execution.places().pm(), keep);
        try (AcknowledgedLog log = AcknowledgedLog.of(context, execution)) {
          return judge(context, execution, log, wanted, keep, debugger);
        }
      }
    } catch (OutOfSpaceException e) {
      throw new NotTrustworthyException(e.getMessage());
    } catch (IOException e) {
      throw new NotTrustworthyException("cannot keep the image: " + e.getMessage());
    } finally {
      progress.close();
    }
  }

  private Optional<Outcome> judge(
      RunContext context,
      Execution execution,
      AcknowledgedLog log,
      Visit visit,
      Path keep,
      DebuggerChoice debugger)
      throws IOException {
    keepAcknowledged(log, keep);
    String id = visit.id().toString();
    Optional<Judgement> found =
        VerdictLog.open(directory.verdictsFile())
            .find(id)
            .filter(one -> one.visit() == visit.number());
    CopiedImages images =
        new CopiedImages(execution.places().pm(), log.now(), context.area())
            .expecting(keptDumps(found));
    if (debugger == DebuggerChoice.RECOVERY) {
      new Debugger(context).onRecovery(images, found.map(Judgement::step).orElse(""));
      return Optional.empty();
    }
    progress.phase("running recovery on the image");
    return Optional.of(new Outcome(keep, new ImageJudge(context).judge(visit, images)));
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

  private RecorderOptions.Builder options(RunContext context, Execution execution, Visit wanted)
      throws IOException {
    for (FailurePoint point : tree.failurePoints()) {
      if (point.id().equals(wanted.id())) {
        tree.forgetVisit(wanted.id());
      } else {
        tree.visit(point.id());
      }
    }
    LeavesFile leaves = LeavesFile.write(context.area().root().resolve("leaves"), tree);
    return RecorderChoices.of(campaign, execution.places().pm(), execution.trace())
        .leaves(leaves.path())
        .occurrence(Math.toIntExact(wanted.number()))
        .recordEvents(false);
  }

  /** A failure point's call stack as reports show it, innermost first. */
  public static List<StackFrame> frames(FailurePoint point) {
    return TargetStack.of(point.stack());
  }
}
