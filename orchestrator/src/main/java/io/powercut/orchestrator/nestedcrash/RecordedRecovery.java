// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.campaign.Campaign;
import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.image.TraceMismatchException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.RecoveryStep;
import io.powercut.orchestrator.judging.JudgedImages;
import io.powercut.orchestrator.recovery.RecoverySteps;
import io.powercut.orchestrator.recovery.RunningStep;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.RecordCheck;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.orchestrator.timeline.RecentEvents;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashStates;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs recovery on a crash image, those steps of it that are to be cut under the recorder, and
 * takes the images that a cut in them would leave.
 */
public final class RecordedRecovery implements CutRecovery {
  private static final DataSize CHUNK = DataSize.ofMebibytes(4);

  /** Of a step: what it never persisted is in flight there. */
  private static final FailurePoint END = FailurePoint.END_OF_RUN;

  private final Campaign campaign;
  private final RecoverySteps steps;
  private final Resources resources;
  private final Progress progress;
  private final BooleanSupplier isTimeLeft;

  /** Of recovery, all its steps. */
  private final FailurePointTree tree;

  /**
   * @param isTimeLeft asked often; ends a recording
   */
  public RecordedRecovery(
      Campaign campaign,
      RecoverySteps steps,
      Resources resources,
      Progress progress,
      BooleanSupplier isTimeLeft) {
    this.campaign = campaign;
    this.steps = steps;
    this.resources = resources;
    this.progress = progress;
    this.isTimeLeft = isTimeLeft;
    this.tree =
        new FailurePointTree(
            "recovery",
            RecorderChoices.granularity(campaign.failurePoints()),
            ExcludedFunctions.of(campaign.failurePoints().exclude()));
  }

  private record Taken(Point point, Left left) {}

  @Override
  public Optional<String> follow(JudgedImages images, Cuts cuts) throws IOException {
    List<io.powercut.campaign.sections.RecoveryStep> sections = campaign.recovery();
    long left = sections.stream().filter(section -> section.inject()).count();
    try (ImageCopy copy = images.fresh()) {
      ExecutionDirectories places =
          ExecutionDirectories.around(copy.directory(), images.acknowledged());
      List<RecoveryStep> all = steps.on(places);
      for (int index = 0; index < all.size() && left > 0; index++) {
        RecoveryStep step = all.get(index);
        boolean isCut = sections.get(index).inject();
        Optional<String> problem = isCut ? record(step, places, cuts) : run(step);
        if (problem.isPresent()) {
          return problem;
        }
        left -= isCut ? 1 : 0;
      }
    }
    return Optional.empty();
  }

  private Optional<String> run(RecoveryStep step) {
    CommandOutcome outcome = steps.run(step);
    resources.checkInterrupted();
    return problem(step, outcome, "");
  }

  private static Optional<String> problem(RecoveryStep step, CommandOutcome outcome, String where) {
    return outcome
        .problem()
        .map(
            problem ->
                outcome.result().ending() instanceof Ending.TimedOut timedOut
                    ? "step %s does not end%s within %d s"
                        .formatted(step.name(), where, timedOut.limit().toSeconds())
                    : "step %s behaves differently%s: %s".formatted(step.name(), where, problem));
  }

  private Optional<String> record(RecoveryStep step, ExecutionDirectories places, Cuts cuts)
      throws IOException {
    try (ExecutionDirectories before = Execution.copyOf(places.pm(), resources.area());
        PrivateDirectory pages = resources.area().newDirectory();
        PmState state = InstrumentedRun.openState(before.pm(), pages);
        CacheLineTracker lines = new CacheLineTracker(campaign.domain(), state)) {
      List<Taken> taken = new ArrayList<>();
      try {
        Path trace = Files.createDirectory(before.scratch().resolve("trace"));
        TraceTables tables = new TraceTables();
        Replayed replayed =
            new Replayed(
                state,
                lines,
                new RecentEvents(),
                Numbers.of(tables),
                new HashMap<>(),
                new RecordCheck(tables, state));
        Optional<String> problem = record(step, places, trace, replayed, cuts, taken);
        for (Taken one : taken) {
          cuts.take(one.point(), one.left());
        }
        return problem;
      } finally {
        taken.forEach(one -> one.left().image().close());
      }
    }
  }

  private Optional<String> record(
      RecoveryStep step,
      ExecutionDirectories places,
      Path trace,
      Replayed replayed,
      Cuts cuts,
      List<Taken> taken)
      throws IOException {
    try (RunningStep running = steps.start(step, options(places, trace))) {
      Optional<String> unreadable = read(trace, running, step, replayed, cuts, taken);
      if (unreadable.isPresent() && !running.isOver()) {
        return unreadable;
      }
      CommandOutcome outcome = running.await();
      resources.checkInterrupted();
      Optional<String> wrong =
          error(trace).or(() -> problem(step, outcome, " under the recorder")).or(() -> unreadable);
      if (wrong.isEmpty()) {
        if (withStates() && !replayed.states(END.instruction()).get().isEmpty()) {
          offer(step, END.stack(), END.instruction(), replayed, cuts, taken);
        }
        replayed.check().compare(places.pm()).forEach(progress::note);
      }
      return wrong;
    }
  }

  /** What a recorded recovery leaves, as its trace is read. */
  private record Replayed(
      PmState state,
      CacheLineTracker lines,
      RecentEvents recent,
      Numbers numbers,
      Map<FailurePointId, Long> occurrences,
      RecordCheck check) {
    Supplier<CrashStates> states(Instruction instruction) {
      return () ->
          instruction.isForCaches()
              ? CrashStates.of(lines).inFrontOfFlush()
              : CrashStates.of(lines);
    }
  }

  /** Whether it matters what is in flight. */
  private boolean withStates() {
    return campaign.exploresStates() && campaign.recoveryCrash().crashStates();
  }

  private RecorderOptions options(ExecutionDirectories places, Path trace) {
    return RecorderOptions.recording(places.pm(), trace)
        .granularity(RecorderChoices.granularity(campaign.failurePoints()))
        .excluded(ExcludedFunctions.of(campaign.failurePoints().exclude()))
        .allStacks(true)
        .ranges(withStates())
        .chunkSize(CHUNK)
        .window(Math.toIntExact(campaign.trace().window().bytes() / CHUNK.bytes()))
        .build();
  }

  /** Follows the trace to its end; what is not right with it, if that is so. */
  private Optional<String> read(
      Path trace,
      RunningStep running,
      RecoveryStep step,
      Replayed replayed,
      Cuts cuts,
      List<Taken> taken)
      throws IOException {
    FailurePointListener listener =
        (ordinal, stack, instruction, isNew) ->
            offer(step, stack, instruction, replayed, cuts, taken);
    TraceTables tables = replayed.numbers().tables();
    List<TraceConsumer> consumers = new ArrayList<>();
    consumers.add(tables);
    consumers.add(replayed.numbers().storing());
    consumers.add(FailurePointDetector.into(tree, tables).telling(listener));
    if (withStates()) {
      consumers.add(replayed.lines());
      consumers.add(replayed.recent());
    }
    consumers.addAll(List.of(new ProgramOrder(replayed.state()), replayed.check(), watch()));
    try {
      TraceReader.of(trace)
          .following(running::isOver)
          .deletingConsumedChunks()
          .read(consumers.toArray(TraceConsumer[]::new));
      return Optional.empty();
    } catch (TraceException | TraceMismatchException e) {
      return Optional.of("the recording of step %s: %s".formatted(step.name(), e.getMessage()));
    }
  }

  private static void offer(
      RecoveryStep step,
      CallStack stack,
      Instruction instruction,
      Replayed replayed,
      Cuts cuts,
      List<Taken> taken)
      throws IOException {
    long occurrence = replayed.occurrences().merge(stack.id(), 1L, Long::sum);
    Point point = new Point(step.name(), stack, instruction, occurrence);
    Supplier<CrashStates> states = replayed.states(instruction);
    if (cuts.wants(point, replayed.state(), states)) {
      CrashImage image = replayed.state().image();
      taken.add(
          new Taken(
              point, new Left(image, states.get(), replayed.recent().now(), replayed.numbers())));
    }
  }

  /** Notices the end of the budget and of the run. */
  private TraceConsumer watch() {
    return new TraceConsumer() {
      @Override
      public void caughtUp() {
        resources.checkInterrupted();
        if (!isTimeLeft.getAsBoolean()) {
          throw new BudgetSpentException();
        }
      }
    };
  }

  private static Optional<String> error(Path trace) throws IOException {
    return ControlFile.read(trace)
        .flatMap(ControlFile::error)
        .map(ControlFile.RecorderError::message);
  }
}
