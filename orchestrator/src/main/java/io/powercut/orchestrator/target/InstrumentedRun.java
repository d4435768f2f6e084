// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmState;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.TargetFailedException;
import io.powercut.orchestrator.session.Workers;
import io.powercut.process.DataSize;
import io.powercut.recorder.RecorderOptions;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The first execution of the target under the recorder, from which the failure-point tree is built
 * (Mumak, section 4.1). The trace is read while it grows and deleted as it is read.
 */
public final class InstrumentedRun {
  /** Memory for pages of the replayed state that were stored to, outside the heap. */
  private static final long CACHE_BYTES = 64L << 20;

  private static final DataSize CHUNK = DataSize.ofMebibytes(16);

  private final Campaign campaign;
  private final Target target;
  private final Resources resources;
  private final Progress progress;
  private final BiConsumer<List<Path>, ControlFile.DeclaredFunctions> declared;

  /** A run after which is noted what is wrong with the functions that the campaign declares. */
  public InstrumentedRun(Campaign campaign, Target target, Resources resources, Progress progress) {
    this(
        campaign,
        target,
        resources,
        progress,
        (modules, used) ->
            new NamedFunctions(modules).problems(campaign.races(), used).forEach(progress::note));
  }

  /**
   * A run.
   *
   * @param declared gets the target's programs, and what it did with the functions that the
   *     campaign declares, where it looks for races
   */
  public InstrumentedRun(
      Campaign campaign,
      Target target,
      Resources resources,
      Progress progress,
      BiConsumer<List<Path>, ControlFile.DeclaredFunctions> declared) {
    this.campaign = campaign;
    this.target = target;
    this.resources = resources;
    this.progress = progress;
    this.declared = declared;
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
   * @param observation gets the trace
   * @return the execution, whose PM directory holds the state after a clean exit; the caller closes
   *     it
   * @throws PowercutException if the target fails or uses no persistent memory
   */
  public Execution run(Path base, FailurePointTree tree, Observation observation) {
    try (AcknowledgedLog acknowledged =
        AcknowledgedLog.open(campaign.acknowledgedOutputs(), resources.area())) {
      Execution execution =
          run(base, tree, observation, Following.of(counting(tree), List.of(acknowledged)));
      execution.keepAcknowledged(acknowledged.now());
      return execution;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reports how many failure points a tree has. */
  public FailurePointListener counting(FailurePointTree tree) {
    return (ordinal, stack, instruction, isNew) -> {
      if (isNew) {
        progress.step("failure points found", tree.size(), 0);
      }
    };
  }

  /**
   * Runs the target to its end.
   *
   * @param base the PM directory after set-up; it is copied
   * @param tree to which its failure points are added
   * @param observation gets the trace
   * @param following gets it, too
   * @return the execution, whose PM directory holds the state after a clean exit; the caller closes
   *     it
   * @throws PowercutException if the target fails or uses no persistent memory
   */
  public Execution run(
      Path base, FailurePointTree tree, Observation observation, Following following) {
    Execution execution = start(base);
    try {
      RecorderOptions options =
          RecorderChoices.of(campaign, execution.places().pm(), execution.trace())
              .allStacks(observation.needsAllStacks())
              .races(observation.needsRaces())
              .executed(true)
              .schedule(ThreadSchedules.written(campaign, execution))
              .chunkSize(CHUNK)
              .window(window())
              .build();
      following.begun().as(() -> ControlFile.reached(execution.trace()));
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<TargetOutcome> running =
          Workers.inThread(
              "target",
              () -> {
                TargetOutcome outcome;
                try {
                  outcome = target.run(execution, options);
                } finally {
                  over.set(true);
                }
                if (outcome.problem().isEmpty() && usesPm(outcome)) {
                  following.ended().as(execution);
                }
                return outcome;
              });
      try {
        TraceReader growing =
            TraceReader.of(execution.trace()).following(over::get).deletingConsumedChunks();
        new TraceReading(campaign.failurePoints(), observation)
            .read(
                following.store().map(growing::storingInto).orElse(growing),
                tree,
                following.listener(),
                following.consumers());
      } catch (TraceException e) {
        if (over.get()) {
          require(running, execution); // a target that failed is the better explanation
        }
        throw PowercutException.notTrustworthy(e.getMessage());
      }
      require(running, execution);
      observation.uselessDeclarations().forEach(progress::note);
      if (observation.needsRaces()) {
        Workers.await(running)
            .control()
            .ifPresent(
                control -> declared.accept(observation.modules(), control.declaredFunctions()));
      }
      return execution;
    } catch (RuntimeException e) {
      target.abort();
      execution.close();
      throw e;
    }
  }

  private Execution start(Path base) {
    try {
      return Execution.startingFrom(base, resources.area());
    } catch (OutOfSpaceException e) {
      throw PowercutException.notTrustworthy(e.getMessage());
    }
  }

  private int window() {
    return Math.toIntExact(campaign.trace().window().bytes() / CHUNK.bytes());
  }

  private void require(CompletableFuture<TargetOutcome> target, Execution execution) {
    TargetOutcome outcome = Workers.await(target);
    resources.checkInterrupted();
    outcome
        .problem()
        .ifPresent(
            problem -> {
              outcome.requireSchedule();
              if (outcome.isRecorded()) {
                throw new TargetFailedException(problem);
              }
              throw PowercutException.notTrustworthy("without any crash, " + problem);
            });
    if (!usesPm(outcome)) {
      throw PowercutException.notTrustworthy(
          "the target maps no persistent memory: it touched no file below {pm} ("
              + execution.places().pm()
              + "). "
              + (leavesProcesses(outcome)
                  ? "But a process of the target was killed, as any is that still runs when the target's"
                      + " command ends: a daemon has to stay in the foreground, or the command to wait for it."
                  : "Check that its command names a file there, as in \"{pm}/pool\"."));
    }
  }

  private static boolean leavesProcesses(TargetOutcome outcome) {
    return outcome
        .control()
        .filter(control -> !control.ended() && control.liveProcesses() > 0)
        .isPresent();
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
