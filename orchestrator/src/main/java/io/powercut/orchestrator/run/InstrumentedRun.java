package io.powercut.orchestrator.run;

import io.powercut.image.OutOfSpaceException;
import io.powercut.instrumentation.RecorderOptions;
import io.powercut.instrumentation.trace.ControlFile;
import io.powercut.instrumentation.trace.FailurePointDetector;
import io.powercut.instrumentation.trace.FailurePointListener;
import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.instrumentation.trace.TraceReader;
import io.powercut.instrumentation.trace.TraceTables;
import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The first execution of the target under the recorder, from which the failure-point tree is built
 * (Mumak, section 4.1). The trace is read while it grows and deleted as it is read.
 */
final class InstrumentedRun {
  /** Chunks of the trace that may wait for the reader; 16 MiB each. */
  private static final int WINDOW = 8;

  private final RunContext context;

  InstrumentedRun(RunContext context) {
    this.context = context;
  }

  /** An empty tree for a campaign's target. */
  static FailurePointTree emptyTree(Campaign campaign) {
    Path nowhere = Path.of("");
    String program =
        campaign
            .target()
            .command()
            .arguments()
            .get(0)
            .expand(
                campaign
                    .placeholders()
                    .withHome(nowhere)
                    .withPm(nowhere)
                    .withRun(nowhere)
                    .withPort(1));
    return new FailurePointTree(
        program.substring(program.lastIndexOf('/') + 1),
        RecorderChoices.granularity(campaign.failurePoints()),
        ExcludedFunctions.of(campaign.failurePoints().exclude()));
  }

  /**
   * Runs the target to its end.
   *
   * @param base the PM directory after set-up; it is copied
   * @param tree to which its failure points are added
   * @return the execution, whose PM directory holds the state after a clean exit; the caller closes
   *     it
   * @throws NotTrustworthyException if the target fails or uses no persistent memory
   */
  Execution run(Path base, FailurePointTree tree) {
    return run(base, tree, (ordinal, stack, instruction, isNew) -> {});
  }

  /**
   * Runs the target to its end.
   *
   * @param base the PM directory after set-up; it is copied
   * @param tree to which its failure points are added
   * @param listener told of each failure point before the consumers get its instruction
   * @param consumers get the trace
   * @return the execution, whose PM directory holds the state after a clean exit; the caller closes
   *     it
   * @throws NotTrustworthyException if the target fails or uses no persistent memory
   */
  Execution run(
      Path base, FailurePointTree tree, FailurePointListener listener, TraceConsumer... consumers) {
    Execution execution = start(base);
    TargetRunner target = new TargetRunner(context);
    try {
      RecorderOptions options =
          RecorderChoices.of(context.campaign(), execution.places().pm(), execution.trace())
              .window(WINDOW)
              .build();
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<TargetOutcome> running =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return target.run(execution, options);
                } finally {
                  over.set(true);
                }
              });
      read(execution, tree, listener, List.of(consumers), over);
      require(running, execution);
      return execution;
    } catch (RuntimeException e) {
      target.abort();
      execution.close();
      throw e;
    }
  }

  private Execution start(Path base) {
    try {
      return Execution.startingFrom(base, context.area());
    } catch (OutOfSpaceException e) {
      throw new NotTrustworthyException(e.getMessage());
    }
  }

  private void read(
      Execution execution,
      FailurePointTree tree,
      FailurePointListener listener,
      List<TraceConsumer> others,
      AtomicBoolean over) {
    TraceTables tables = new TraceTables();
    FailurePointDetector detector = FailurePointDetector.into(tree, tables);
    if (context.campaign().failurePoints().begin().isPresent()) {
      detector = detector.waitingForBeginMark();
    }
    FailurePointDetector told =
        detector.telling(
            (ordinal, stack, instruction, isNew) -> {
              if (isNew) {
                context.progress().step("failure points found", tree.size(), 0);
              }
              listener.reached(ordinal, stack, instruction, isNew);
            });
    List<TraceConsumer> consumers = new ArrayList<>(List.of(tables, told));
    consumers.addAll(others);
    try {
      TraceReader.of(execution.trace())
          .following(over::get)
          .deletingConsumedChunks()
          .read(consumers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void require(CompletableFuture<TargetOutcome> target, Execution execution) {
    TargetOutcome outcome;
    try {
      outcome = target.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
    context.checkInterrupted();
    outcome
        .problem()
        .ifPresent(
            problem -> {
              throw new NotTrustworthyException("without any crash, " + problem);
            });
    int used =
        outcome
            .control()
            .map(ControlFile::counters)
            .map(c -> c.mappedFiles() + c.seenFiles())
            .orElse(0);
    if (used == 0) {
      throw new NotTrustworthyException(
          "the target maps no persistent memory: it touched no file below {pm} ("
              + execution.places().pm()
              + "). Does its command name a file there, as in \"{pm}/pool\"?");
    }
  }
}
