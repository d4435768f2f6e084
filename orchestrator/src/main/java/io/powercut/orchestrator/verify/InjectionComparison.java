// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryComparison;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.pages.ImageHash;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.injection.InjectionLogs;
import io.powercut.orchestrator.injection.ReExecutedInjection;
import io.powercut.orchestrator.injection.RecordedInjection;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.JudgedStops;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.TemporaryRun;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.orchestrator.target.StopHandler;
import io.powercut.orchestrator.target.TargetOutcome;
import io.powercut.persistency.ProgramOrder;
import io.powercut.recorder.RecorderOptions;
import io.powercut.report.evidence.Judgement;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.LeavesFile;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Takes both ways of injection on one campaign, from the same state after set-up, so that they can
 * be compared. Closing this ends all that runs and removes all that was made.
 */
public final class InjectionComparison implements OtherExecutions, AutoCloseable {
  private final TemporaryRun run;
  private final Session session;
  private final Campaign campaign;
  private final RunParts parts;
  private final Resources resources;
  private final Progress progress;
  private final ExecutionDirectories base;
  private final PrivateDirectory pages;
  private final PmState state;
  private boolean isRecorded;

  private InjectionComparison(TemporaryRun run, Session session, Campaign campaign) {
    this.run = run;
    this.session = session;
    this.campaign = campaign;
    this.parts = new RunParts(session.context());
    this.resources = parts.resources();
    this.progress = parts.workplace().phases().progress();
    Preparation preparation = parts.preparation();
    preparation.build();
    this.base = preparation.setUp();
    try {
      this.pages = resources.area().newDirectory();
      this.state = InstrumentedRun.openState(base.pm(), pages);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Builds the target and sets it up.
   *
   * @throws PowercutException if one of these fails
   */
  public static InjectionComparison open(Campaign campaign, Progress progress) {
    TemporaryRun run = TemporaryRun.create();
    try {
      Session session = Session.open(campaign, run.directory(), progress, new Timings());
      try {
        return new InjectionComparison(run, session, campaign);
      } catch (RuntimeException e) {
        run.close();
        session.close();
        throw e;
      }
    } catch (RuntimeException e) {
      run.close();
      throw e;
    }
  }

  /**
   * What a way gave.
   *
   * @param tree the failure points it found
   * @param judgements the verdicts on the images at their first occurrences; those are missing that
   *     the budget did not allow
   */
  public record Way(FailurePointTree tree, Map<FailurePointId, Judgement> judgements) {
    /** Copies the map. */
    public Way {
      judgements = Map.copyOf(judgements);
    }
  }

  /**
   * Injects from one recorded run.
   *
   * @param images gets the image at every leaf, good until this is closed; equal images are one
   * @throws IllegalStateException the second time: the state that is replayed into is at its end
   */
  public Way record(Map<FailurePointId, CrashImage> images) {
    if (isRecorded) {
      throw new IllegalStateException("recorded already");
    }
    isRecorded = true;
    progress.phase("recorded: running the target under instrumentation and injecting");
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    Map<FailurePointId, Judgement> judgements = new ConcurrentHashMap<>();
    Map<ImageHash, CrashImage> distinct = new HashMap<>();
    Budget budget = new Budget(campaign);
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            parts.workplace(),
            Recording.uncontrolled(parts.instrumentedRun(), Observation.ofNumbers()),
            parts.recoveries(budget::isTimeLeft),
            Scope.all(budget),
            InjectionLogs.of(
                judgement -> {
                  judgements.put(judgement.failurePointId(), judgement);
                  progress.step("images judged", judgements.size(), 0);
                }));
    Optional<Execution> execution =
        injection.run(
            base.pm(),
            tree,
            state,
            (occurrence, now) -> {
              if (occurrence.number() == 1) {
                CrashImage known = distinct.get(now.hash());
                CrashImage image = known == null ? now.image() : known;
                distinct.put(image.hash(), image);
                images.put(occurrence.id(), image);
              }
            });
    execution.ifPresent(Execution::close);
    return new Way(tree, judgements);
  }

  /**
   * Records the target once more, without judging anything.
   *
   * @return the content hash of the image at the first occurrence of every failure point
   */
  public Map<FailurePointId, ImageHash> recordAgain() throws IOException {
    progress.phase("recording the target once more");
    Map<FailurePointId, ImageHash> images = new HashMap<>();
    try (PrivateDirectory stored = resources.area().newDirectory();
        PmState replayed = InstrumentedRun.openState(base.pm(), stored)) {
      FailurePointListener listener =
          (ordinal, stack, instruction, isNew) -> {
            if (isNew) {
              images.put(stack.id(), replayed.hash());
            }
          };
      parts
          .instrumentedRun()
          .run(
              base.pm(),
              InstrumentedRun.emptyTree(campaign),
              Observation.ofNumbers(),
              Following.of(listener, List.of(new ProgramOrder(replayed))))
          .close();
    }
    return images;
  }

  /**
   * Injects by re-execution: runs the target once to find its failure points, and again for each of
   * them.
   *
   * @param observer gets the PM directory of every stopped execution, from several threads, before
   *     recovery judges a copy of it; it must not change it
   */
  public Way reExecute(BiConsumer<FailurePointId, Path> observer) {
    progress.phase("re-executed: running the target under instrumentation");
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    parts.instrumentedRun().run(base.pm(), tree, Observation.ofNumbers()).close();
    progress.phase("re-executed: injecting at %d failure points".formatted(tree.size()));
    Map<FailurePointId, Judgement> judgements = new ConcurrentHashMap<>();
    ResultListener results =
        judgement -> {
          judgements.put(judgement.failurePointId(), judgement);
          progress.step("images judged", judgements.size(), tree.size());
        };
    stopAt(tree, new Observed(observer, new JudgedStops(resources, parts.judge(), results)));
    return new Way(tree, judgements);
  }

  @Override
  public Optional<Optional<Difference>> compareOneExecution(
      FailurePointTree tree, FailurePointId id) throws IOException {
    LeavesFile leaves = LeavesFile.write(newDirectory().resolve("leaves"), tree);
    for (FailurePoint point : tree.failurePoints()) {
      leaves.mark(point.id(), !point.id().equals(id));
    }
    try (Execution execution = Execution.startingFrom(base.pm(), resources.area())) {
      RecorderOptions options =
          RecorderChoices.of(campaign, execution.places().pm(), execution.trace())
              .leaves(leaves.path())
              .build();
      TargetOutcome outcome = parts.target().run(execution, options);
      resources.checkInterrupted();
      return outcome.control().flatMap(ControlFile::stopped).isPresent()
          ? Optional.of(compareWithTrace(execution))
          : Optional.empty();
    }
  }

  private Optional<Difference> compareWithTrace(Execution execution) throws IOException {
    Path rebuilt = newDirectory();
    try (PrivateDirectory stored = resources.area().newDirectory();
        PmState replayed = InstrumentedRun.openState(base.pm(), stored)) {
      TraceReader.of(execution.trace()).read(new ProgramOrder(replayed));
      try (CrashImage image = replayed.image()) {
        image.writeTo(rebuilt);
      }
    }
    return DirectoryComparison.firstDifference(rebuilt, execution.places().pm());
  }

  private void stopAt(FailurePointTree tree, StopHandler stops) {
    new ReExecutedInjection(
            campaign, parts.target(), resources, stops, Scope.all(new Budget(campaign)))
        .run(base.pm(), tree);
  }

  /** Shows a stop to an observer before it is judged. */
  private record Observed(BiConsumer<FailurePointId, Path> observer, StopHandler next)
      implements StopHandler {
    @Override
    public void stopped(FailurePointId id, Path pm, Optional<Acknowledgement> acknowledged) {
      observer.accept(id, pm);
      next.stopped(id, pm, acknowledged);
    }

    @Override
    public void missed(FailurePointId id, String reason) {
      next.missed(id, reason);
    }
  }

  @Override
  public Path newDirectory() throws IOException {
    return resources.area().newDirectory().path();
  }

  @Override
  public void close() {
    state.close();
    run.close();
    session.close();
  }
}
