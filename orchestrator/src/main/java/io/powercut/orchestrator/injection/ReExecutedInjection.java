// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.image.files.OutOfSpaceException;
import io.powercut.orchestrator.judging.ImageJudge;
import io.powercut.orchestrator.judging.JudgedStops;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.LockingCode;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.orchestrator.target.StopHandler;
import io.powercut.orchestrator.target.TargetOutcome;
import io.powercut.orchestrator.target.TargetRunner;
import io.powercut.recorder.RecorderOptions;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.trace.file.ControlFile;
import io.powercut.trace.file.LeavesFile;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Injection by re-execution, the way of the Mumak paper (section 4.1): the target is run again and
 * again under the recorder with the tree; at the first unvisited leaf it is stopped before the
 * instruction, recovery judges what is in its PM files, until no leaf is unvisited.
 *
 * <p>Where only the C library's locks are taken ({@link LockingCode}) comes last.
 *
 * <p>Executions run in parallel. They share one file of leaves, in which each claims the leaf that
 * it stops at, so that no two stop at the same.
 */
public final class ReExecutedInjection {
  /** A leaf that this many whole executions did not reach will not be reached any more. */
  private static final int MISSES_ALLOWED = 2;

  private final RunContext context;
  private final TargetRunner target;
  private final StopHandler stops;
  private final Path base;
  private final FailurePointTree tree;
  private final LeavesFile leaves;
  private final Budget budget;
  private final Set<FailurePointId> last = new HashSet<>();
  private final Map<FailurePointId, Integer> misses = new HashMap<>();

  /**
   * Injection that lets recovery judge the images and logs the verdicts.
   *
   * @param base the PM directory after set-up
   * @param tree whose unvisited leaves are wanted
   * @param wanted which of them are to be judged
   */
  public ReExecutedInjection(
      RunContext context,
      ImageJudge judge,
      VerdictLog verdicts,
      Budget budget,
      Path base,
      FailurePointTree tree,
      Predicate<FailurePointId> wanted) {
    this(
        context,
        new JudgedStops(
            context.resources(),
            judge,
            judgement -> {
              verdicts.add(judgement);
              judge.announce(judgement);
            }),
        budget,
        base,
        tree,
        wanted);
  }

  /**
   * @param stops what is done at the leaves
   * @param base the PM directory after set-up
   * @param tree whose unvisited leaves are wanted
   * @param wanted which of them are to be judged
   */
  public ReExecutedInjection(
      RunContext context,
      StopHandler stops,
      Budget budget,
      Path base,
      FailurePointTree tree,
      Predicate<FailurePointId> wanted) {
    this.context = context;
    this.target = new TargetRunner(context);
    this.stops = stops;
    this.budget = budget;
    this.base = base;
    this.tree = tree;
    try {
      this.leaves = LeavesFile.write(context.area().root().resolve("leaves"), tree);
      for (FailurePoint failurePoint : tree.failurePoints()) {
        if (!wanted.test(failurePoint.id())) {
          leaves.mark(failurePoint.id(), true);
        } else if (!failurePoint.visited()
            && LockingCode.contains(failurePoint.stack(), failurePoint.instruction())) {
          leaves.mark(failurePoint.id(), true);
          last.add(failurePoint.id());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Injects until every leaf has a verdict, or the budget is used up. */
  public void run() {
    Workers.run(context.parallel(), this::work);
    if (!last.isEmpty()) {
      try {
        for (FailurePointId id : last) {
          leaves.mark(id, false);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Workers.run(context.parallel(), this::work);
    }
  }

  private void work() {
    while (!unvisited().isEmpty() && budget.isLeft()) {
      context.checkInterrupted();
      executeOnce();
      context.progress().step("failure points", tree.visitedCount(), tree.size());
    }
  }

  private Set<FailurePointId> unvisited() {
    try {
      Set<FailurePointId> visited = leaves.visited();
      Set<FailurePointId> rest = new HashSet<>();
      for (FailurePoint failurePoint : tree.failurePoints()) {
        if (!visited.contains(failurePoint.id())) {
          rest.add(failurePoint.id());
        }
      }
      return rest;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void executeOnce() {
    Set<FailurePointId> wanted = unvisited();
    try (Execution execution = Execution.startingFrom(base, context.area())) {
      RecorderOptions options =
          RecorderChoices.of(context.campaign(), execution.places().pm(), execution.trace())
              .leaves(leaves.path())
              .recordEvents(false)
              .build();
      TargetOutcome outcome = target.run(execution, options);
      context.checkInterrupted();
      Optional<ControlFile.Stop> stop = outcome.control().flatMap(ControlFile::stopped);
      if (stop.isPresent()) {
        try (AcknowledgedLog log = AcknowledgedLog.of(context, execution)) {
          stops.stopped(stop.get().id(), execution.places().pm(), log.now());
        }
        done(stop.get().id());
      } else {
        missed(wanted, outcome);
      }
    } catch (OutOfSpaceException e) {
      giveUp(wanted, "the target could not be run again: " + e.getMessage());
    }
  }

  private void done(FailurePointId id) {
    tree.visit(id);
    budget.spendImage();
  }

  /** A whole execution came by none of the leaves that were unvisited from its start to its end. */
  private synchronized void missed(Set<FailurePointId> wanted, TargetOutcome outcome) {
    Set<FailurePointId> still = unvisited();
    still.retainAll(wanted);
    for (FailurePointId id : still) {
      if (misses.merge(id, 1, Integer::sum) >= MISSES_ALLOWED) {
        giveUp(
            Set.of(id), "not reached again when the target was re-executed: " + outcome.describe());
      }
    }
  }

  private synchronized void giveUp(Set<FailurePointId> ids, String reason) {
    try {
      for (FailurePointId id : List.copyOf(ids)) {
        if (!leaves.visited().contains(id)) {
          leaves.mark(id, true);
          stops.missed(id, reason);
          done(id);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
