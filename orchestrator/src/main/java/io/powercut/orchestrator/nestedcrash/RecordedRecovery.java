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
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Supervisors;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.RecordCheck;
import io.powercut.orchestrator.target.RecordedStep;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.persistency.ProgramOrder;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.process.Supervisor;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Runs recovery on a crash image, those steps of it that are to be cut under the recorder, and
 * takes the images that a cut in them would leave.
 */
public final class RecordedRecovery implements CutRecovery {
  private static final DataSize CHUNK = DataSize.ofMebibytes(4);

  private final RunContext context;
  private final FailurePointTree tree;
  private final BooleanSupplier isTimeLeft;

  /**
   * @param tree of recovery; grows
   * @param isTimeLeft asked often; ends a recording
   */
  public RecordedRecovery(RunContext context, FailurePointTree tree, BooleanSupplier isTimeLeft) {
    this.context = context;
    this.tree = tree;
    this.isTimeLeft = isTimeLeft;
  }

  /** An empty tree for a campaign's recovery, all its steps. */
  public static FailurePointTree emptyTree(Campaign campaign) {
    return new FailurePointTree(
        "recovery",
        RecorderChoices.granularity(campaign.failurePoints()),
        ExcludedFunctions.of(campaign.failurePoints().exclude()));
  }

  private record Taken(Point point, CrashImage image) {}

  @Override
  public Optional<String> follow(JudgedImages images, Cuts cuts) throws IOException {
    List<io.powercut.campaign.sections.RecoveryStep> sections = context.campaign().recovery();
    long left = sections.stream().filter(section -> section.inject()).count();
    try (ImageCopy copy = images.fresh()) {
      ExecutionDirectories places =
          ExecutionDirectories.around(copy.directory(), images.acknowledged());
      List<RecoveryStep> steps = context.commands().recovery(places);
      for (int index = 0; index < steps.size() && left > 0; index++) {
        RecoveryStep step = steps.get(index);
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
    try (Supervisors.Loan loan = context.supervisors().borrow()) {
      CommandOutcome outcome =
          CommandOutcome.of(loan.supervisor(), step.command(), step.server(), step.success());
      context.checkInterrupted();
      return problem(step, outcome, "");
    }
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
    try (ExecutionDirectories before = Execution.copyOf(places.pm(), context.area());
        PrivateDirectory pages = context.area().newDirectory();
        PmState state = InstrumentedRun.openState(before.pm(), pages)) {
      List<Taken> taken = new ArrayList<>();
      try {
        Path trace = Files.createDirectory(before.scratch().resolve("trace"));
        Optional<String> problem = record(step, places, trace, state, cuts, taken);
        for (Taken one : taken) {
          cuts.take(one.point(), one.image());
        }
        return problem;
      } finally {
        taken.forEach(one -> one.image().close());
      }
    }
  }

  private Optional<String> record(
      RecoveryStep step,
      ExecutionDirectories places,
      Path trace,
      PmState state,
      Cuts cuts,
      List<Taken> taken)
      throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    try (Supervisors.Loan loan = context.supervisors().borrow()) {
      Supervisor supervisor = loan.supervisor();
      CompletableFuture<CommandOutcome> running =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return RecordedStep.run(supervisor, context, step, options(places, trace));
                } finally {
                  over.set(true);
                }
              },
              RecordedRecovery::inThreadOfItsOwn);
      boolean isWhole = false;
      TraceTables tables = new TraceTables();
      Replayed replayed = new Replayed(state, tables, new RecordCheck(tables, state));
      try {
        Optional<String> unreadable = read(trace, over, step, replayed, cuts, taken);
        isWhole = unreadable.isEmpty() || over.get();
        if (!isWhole) {
          return unreadable;
        }
        CommandOutcome outcome = await(running);
        context.checkInterrupted();
        Optional<String> wrong =
            error(trace)
                .or(() -> problem(step, outcome, " under the recorder"))
                .or(() -> unreadable);
        if (wrong.isEmpty()) {
          replayed.check().compare(places.pm()).forEach(context.progress()::note);
        }
        return wrong;
      } finally {
        if (!isWhole) {
          end(supervisor, running);
        }
      }
    }
  }

  /** What a recorded recovery leaves, as its trace is read. */
  private record Replayed(PmState state, TraceTables tables, RecordCheck check) {}

  private static void inThreadOfItsOwn(Runnable recovery) {
    Thread thread = new Thread(recovery, "recorded-recovery");
    thread.setDaemon(true);
    thread.start();
  }

  private RecorderOptions options(ExecutionDirectories places, Path trace) {
    Campaign campaign = context.campaign();
    return RecorderOptions.recording(places.pm(), trace)
        .granularity(RecorderChoices.granularity(campaign.failurePoints()))
        .excluded(ExcludedFunctions.of(campaign.failurePoints().exclude()))
        .chunkSize(CHUNK)
        .window(Math.toIntExact(campaign.trace().window().bytes() / CHUNK.bytes()))
        .build();
  }

  /** Follows the trace to its end; what is not right with it, if that is so. */
  private Optional<String> read(
      Path trace,
      AtomicBoolean over,
      RecoveryStep step,
      Replayed replayed,
      Cuts cuts,
      List<Taken> taken)
      throws IOException {
    PmState state = replayed.state();
    FailurePointListener listener =
        (ordinal, stack, instruction, isNew) -> {
          Point point = new Point(step.name(), stack, instruction);
          if (cuts.wants(point, state)) {
            taken.add(new Taken(point, state.image()));
          }
        };
    TraceTables tables = replayed.tables();
    try {
      TraceReader.of(trace)
          .following(over::get)
          .deletingConsumedChunks()
          .read(
              tables,
              FailurePointDetector.into(tree, tables).telling(listener),
              new ProgramOrder(state),
              replayed.check(),
              watch());
      return Optional.empty();
    } catch (TraceException | TraceMismatchException e) {
      return Optional.of("the recording of step %s: %s".formatted(step.name(), e.getMessage()));
    }
  }

  /** Notices the end of the budget and of the run. */
  private TraceConsumer watch() {
    return new TraceConsumer() {
      @Override
      public void caughtUp() {
        context.checkInterrupted();
        if (!isTimeLeft.getAsBoolean()) {
          throw new BudgetSpentException();
        }
      }
    };
  }

  private static CommandOutcome await(CompletableFuture<CommandOutcome> running) {
    try {
      return running.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** A supervisor that is closed kills what it runs, and is not lent again. */
  private static void end(Supervisor supervisor, CompletableFuture<CommandOutcome> running) {
    supervisor.close();
    running.exceptionally(ended -> null).join();
  }

  private static Optional<String> error(Path trace) throws IOException {
    return ControlFile.read(trace)
        .flatMap(ControlFile::error)
        .map(ControlFile.RecorderError::message);
  }
}
