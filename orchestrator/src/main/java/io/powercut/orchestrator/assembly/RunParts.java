// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import io.powercut.campaign.dataraces.DataRacesSection;
import io.powercut.orchestrator.dataraces.TargetRaces;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.injection.Recoveries;
import io.powercut.orchestrator.judging.CleanControl;
import io.powercut.orchestrator.judging.CrashImageJudge;
import io.powercut.orchestrator.judging.ImageJudge;
import io.powercut.orchestrator.judging.NegativeControl;
import io.powercut.orchestrator.judging.RecoveryRuns;
import io.powercut.orchestrator.judging.SupervisedRecovery;
import io.powercut.orchestrator.nestedcrash.RecordedRecovery;
import io.powercut.orchestrator.reads.RecordedReads;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.orchestrator.reads.WatchedReads;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.CommandRecorder;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.orchestrator.target.TargetRunner;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.orchestrator.target.UntestedSearch;
import io.powercut.recorder.ThreadSchedule;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The parts of one run, which share its recovery: how long that takes is learned once. */
public final class RunParts {
  private final RunContext context;
  private final RecoveryRuns recovery;
  private final CrashImageJudge judge;
  private final CleanControl control;
  private final RecoverySteps steps;
  private final Progress notes;
  private final DeclaredUses uses = new DeclaredUses();

  public RunParts(RunContext context) {
    this.context = context;
    this.recovery =
        new SupervisedRecovery(context.commands(), context.supervisors(), context.resources());
    this.judge =
        new ImageJudge(
            recovery, context.campaign().oracle(), context.directory(), context.progress());
    this.control = new CleanControl(context.campaign(), recovery, context.workplace());
    this.steps =
        new RecoverySteps(
            context.commands(),
            context.supervisors(),
            context.recorder()::record,
            context.campaign().limits().memory());
    this.notes = new NotesOnce(context.progress());
  }

  /** Builds the target and sets it up. */
  public Preparation preparation() {
    return new Preparation(
        context.campaign(),
        context.commands(),
        context.supervisors(),
        context.resources(),
        context.phases());
  }

  /** What worker threads share. */
  public Resources resources() {
    return context.resources();
  }

  /** Where work on crash images is done. */
  public Workplace workplace() {
    return context.workplace();
  }

  /** Asks recovery about crash images. */
  public CrashImageJudge judge() {
    return judge;
  }

  /** Asks recovery about states without any crash. */
  public CleanControl control() {
    return control;
  }

  /** Asks recovery about damaged images. */
  public NegativeControl negativeControl(NegativeControl.States states) {
    return new NegativeControl(
        context.campaign().oracle(), recovery, context.area(), context.progress(), states);
  }

  /** Refuses the state after set-up if recovery does; nothing is acknowledged then. */
  public void controlSetUp(Path pm) {
    try (AcknowledgedLog nothing = acknowledgedLog()) {
      control.control("the state after set-up", pm, nothing.now());
    }
  }

  /** An empty log of what the target acknowledges. */
  public AcknowledgedLog acknowledgedLog() {
    return AcknowledgedLog.open(context.campaign().acknowledgedOutputs(), context.area());
  }

  /** The target under the recorder. */
  public TargetRunner target() {
    return new TargetRunner(
        context.campaign(),
        context.commands(),
        context.supervisors(),
        CommandRecorder.of(context.recorder()));
  }

  /** Records the target to its end. */
  public InstrumentedRun instrumentedRun() {
    return new InstrumentedRun(context.campaign(), target(), context.resources(), notes, uses);
  }

  /**
   * An instrumented run with another order of threads.
   *
   * @param number 0 for the order that the campaign wants; others have other seeds
   */
  public InstrumentedRun instrumentedRun(int number) {
    return instrumentedRun(ThreadSchedules.another(context.campaign(), number));
  }

  /** An instrumented run whose threads run in an order. */
  public InstrumentedRun instrumentedRun(ThreadSchedule order) {
    return new InstrumentedRun(
        context.campaign(),
        ThreadSchedules.ordered(target(), order),
        context.resources(),
        notes,
        uses);
  }

  /** Notes what is wrong with the functions that the campaign declares, after all runs so far. */
  public void noteDeclaredFunctions() {
    uses.problems(context.campaign().races()).forEach(notes::note);
  }

  /** An execution whose end is controlled. */
  public Recording recording(Observation observation) {
    return recording(observation, 0);
  }

  /**
   * An execution whose end is controlled.
   *
   * @param number of the order of threads, as above
   */
  public Recording recording(Observation observation, int number) {
    return Recording.of(
        instrumentedRun(number), observation, control::controlEnd, context.supervisors()::close);
  }

  /** The steps of recovery. */
  public RecoverySteps recoverySteps() {
    return steps;
  }

  /**
   * Recovery that can be cut.
   *
   * @param isTimeLeft asked often
   */
  public RecordedRecovery recordedRecovery(BooleanSupplier isTimeLeft) {
    return new RecordedRecovery(
        context.campaign(), steps, context.resources(), context.progress(), isTimeLeft);
  }

  /**
   * All that recovery is used for.
   *
   * @param isTimeLeft asked often
   */
  public Recoveries recoveries(BooleanSupplier isTimeLeft) {
    return new Recoveries(judge, reads(), recordedRecovery(isTimeLeft), recovery.isLong());
  }

  /**
   * Says what recovery reads; nothing if the campaign does not want that. A server is recorded, as
   * its client may read files, too: that is slow.
   */
  public Optional<RecoveryReads> reads() {
    boolean isServer = context.commands().recoveryHasServer();
    if (!context.campaign().crashStates().skipUnread().orElse(!isServer)) {
      return Optional.empty();
    }
    return Optional.of(
        isServer
            ? new RecordedReads(steps, context.resources())
            : new WatchedReads(steps, recovery, context.resources()));
  }

  /**
   * Looks for data races.
   *
   * @param section how
   */
  public TargetRaces dataRaces(DataRacesSection section) {
    return new TargetRaces(
        section,
        context.campaign().target(),
        RecorderChoices.locks(context.campaign()),
        context.commands(),
        context.supervisors(),
        context.area());
  }

  /** Looks for functions that never ran. */
  public UntestedSearch untestedSearch() {
    return new UntestedSearch(context.area(), context.supervisors());
  }
}
