// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmState;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.process.DataSize;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceStore;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The first execution of the target under the recorder, from which the failure-point tree is built
 * (Mumak, section 4.1). The trace is read while it grows and deleted as it is read.
 */
public final class InstrumentedRun {
  /** Memory for pages of the replayed state that were stored to, outside the heap. */
  private static final long CACHE_BYTES = 64L << 20;

  private static final DataSize CHUNK = DataSize.ofMebibytes(16);

  private final RunContext context;
  private final Observation observation;
  private boolean endsInside;

  /**
   * @param observation gets the trace
   */
  public InstrumentedRun(RunContext context, Observation observation) {
    this.context = context;
    this.observation = observation;
  }

  /** An empty tree for a campaign's target. */
  public static FailurePointTree emptyTree(Campaign campaign) {
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
   * @throws PowercutException if the target fails or uses no persistent memory
   */
  public Execution run(Path base, FailurePointTree tree) {
    FailurePointListener progress =
        (ordinal, stack, instruction, isNew) -> {
          if (isNew) {
            context.progress().step("failure points found", tree.size(), 0);
          }
        };
    try (AcknowledgedLog acknowledged = AcknowledgedLog.open(context)) {
      Execution execution =
          run(base, tree, progress, Optional.empty(), List.of(acknowledged), Ended.IGNORED);
      execution.keepAcknowledged(acknowledged.now());
      return execution;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Is told that the target has ended as it should, while its trace may still be read. */
  @FunctionalInterface
  public interface Ended {
    /** Does nothing. */
    Ended IGNORED = execution -> {};

    /** In a thread of its own. What it throws ends the run. */
    void as(Execution execution);
  }

  /**
   * Runs the target to its end.
   *
   * @param base the PM directory after set-up; it is copied
   * @param tree to which its failure points are added
   * @param listener told of each failure point before the consumers get its instruction
   * @param store keeps the trace, if there is one
   * @param consumers get the trace
   * @param ended told of the end
   * @return the execution, whose PM directory holds the state after a clean exit; the caller closes
   *     it
   * @throws PowercutException if the target fails or uses no persistent memory
   */
  public Execution run(
      Path base,
      FailurePointTree tree,
      FailurePointListener listener,
      Optional<TraceStore> store,
      List<TraceConsumer> consumers,
      Ended ended) {
    Execution execution = start(base);
    TargetRunner target = new TargetRunner(context);
    try {
      RecorderOptions options =
          RecorderChoices.of(context.campaign(), execution.places().pm(), execution.trace())
              .allStacks(observation.needsAllStacks())
              .executed(true)
              .chunkSize(CHUNK)
              .window(window())
              .build();
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<TargetOutcome> running =
          CompletableFuture.supplyAsync(
              () -> {
                TargetOutcome outcome;
                try {
                  outcome = target.run(execution, options);
                } finally {
                  over.set(true);
                }
                if (outcome.problem().isEmpty() && usesPm(outcome)) {
                  ended.as(execution);
                }
                return outcome;
              });
      try {
        TraceReader growing =
            TraceReader.of(execution.trace()).following(over::get).deletingConsumedChunks();
        read(store.map(growing::storingInto).orElse(growing), tree, listener, consumers);
      } catch (TraceException e) {
        if (over.get()) {
          require(running, execution); // a target that failed is the better explanation
        }
        throw PowercutException.notTrustworthy(e.getMessage());
      }
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
      throw PowercutException.notTrustworthy(e.getMessage());
    }
  }

  private int window() {
    return Math.toIntExact(context.campaign().trace().window().bytes() / CHUNK.bytes());
  }

  /**
   * Reads a trace of the campaign's target.
   *
   * @param tree to which its failure points are added
   * @param listener told of each failure point before the consumers get its instruction
   * @param others get the trace
   * @throws TraceException if it cannot be read to its end
   */
  public void read(
      TraceReader reader,
      FailurePointTree tree,
      FailurePointListener listener,
      List<TraceConsumer> others)
      throws TraceException {
    FailurePointDetector detector = FailurePointDetector.into(tree, observation.tables());
    if (context.campaign().failurePoints().begin().isPresent()) {
      detector = detector.waitingForBeginMark();
    }
    FailurePointListener told =
        (ordinal, stack, instruction, isNew) -> {
          observation.reached(stack.id(), isNew);
          listener.reached(ordinal, stack, instruction, isNew);
        };
    detector = detector.telling(told);
    List<TraceConsumer> consumers = new ArrayList<>(List.of(observation.tables(), detector));
    consumers.addAll(observation.consumers());
    consumers.addAll(others);
    try {
      reader.read(consumers);
      endsInside = detector.isActive();
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether the trace that was read ended between the marks, so that its end is a point at which
   * the power may be cut.
   */
  public boolean endsInside() {
    return endsInside;
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
              throw PowercutException.notTrustworthy("without any crash, " + problem);
            });
    if (!usesPm(outcome)) {
      throw PowercutException.notTrustworthy(
          "the target maps no persistent memory: it touched no file below {pm} ("
              + execution.places().pm()
              + "). Check that its command names a file there, as in \"{pm}/pool\".");
    }
  }

  private static boolean usesPm(TargetOutcome outcome) {
    return outcome
        .control()
        .map(ControlFile::counters)
        .filter(counters -> counters.mappedFiles() + counters.seenFiles() > 0)
        .isPresent();
  }

  /**
   * The state from which a run begins.
   *
   * @param base the PM directory after set-up
   * @param pages empty, for pages that are not in memory
   */
  public static PmState openState(Path base, PrivateDirectory pages) throws IOException {
    return PmState.open(base, pages, CACHE_BYTES);
  }
}
