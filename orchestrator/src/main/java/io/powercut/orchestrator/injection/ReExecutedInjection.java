// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.campaign.Campaign;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.orchestrator.code.LockingCode;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.RecorderChoices;
import io.powercut.orchestrator.target.StopHandler;
import io.powercut.orchestrator.target.Target;
import io.powercut.orchestrator.target.TargetOutcome;
import io.powercut.recorder.RecorderOptions;
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

  private final Campaign campaign;
  private final Target target;
  private final Resources resources;
  private final StopHandler stops;
  private final Scope scope;

  /**
   * @param stops what is done at the leaves
   */
  public ReExecutedInjection(
      Campaign campaign, Target target, Resources resources, StopHandler stops, Scope scope) {
    this.campaign = campaign;
    this.target = target;
    this.resources = resources;
    this.stops = stops;
    this.scope = scope;
  }

  /**
   * Injects until every leaf has a verdict, or the budget is used up.
   *
   * @param base the PM directory after set-up
   * @param tree whose unvisited leaves are wanted
   */
  public void run(Path base, FailurePointTree tree) {
    new Leaves(base, tree).run();
  }

  /** The leaves of one tree. */
  private final class Leaves {
    private final Path base;
    private final FailurePointTree tree;
    private final LeavesFile leaves;
    private final Set<FailurePointId> last = new HashSet<>();
    private final Map<FailurePointId, Integer> misses = new HashMap<>();

    Leaves(Path base, FailurePointTree tree) {
      this.base = base;
      this.tree = tree;
      try {
        this.leaves = LeavesFile.write(resources.area().root().resolve("leaves"), tree);
        for (FailurePoint failurePoint : tree.failurePoints()) {
          if (!scope.wanted().test(failurePoint.id())) {
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

    void run() {
      Workers.run("re-execution", resources.parallel(), this::work);
      if (!last.isEmpty()) {
        try {
          for (FailurePointId id : last) {
            leaves.mark(id, false);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        Workers.run("re-execution", resources.parallel(), this::work);
      }
    }

    private void work() {
      while (!unvisited().isEmpty() && scope.budget().isLeft()) {
        resources.checkInterrupted();
        executeOnce();
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
      try (Execution execution = Execution.startingFrom(base, resources.area())) {
        RecorderOptions options =
            RecorderChoices.of(campaign, execution.places().pm(), execution.trace())
                .leaves(leaves.path())
                .recordEvents(false)
                .build();
        TargetOutcome outcome = target.run(execution, options);
        resources.checkInterrupted();
        Optional<ControlFile.Stop> stop = outcome.control().flatMap(ControlFile::stopped);
        if (stop.isPresent()) {
          try (AcknowledgedLog log =
              AcknowledgedLog.of(campaign.acknowledgedOutputs(), resources.area(), execution)) {
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
      scope.budget().spendImage();
    }

    /**
     * A whole execution came by none of the leaves that were unvisited from its start to its end.
     */
    private synchronized void missed(Set<FailurePointId> wanted, TargetOutcome outcome) {
      Set<FailurePointId> still = unvisited();
      still.retainAll(wanted);
      for (FailurePointId id : still) {
        if (misses.merge(id, 1, Integer::sum) >= MISSES_ALLOWED) {
          giveUp(
              Set.of(id),
              "not reached again when the target was re-executed: " + outcome.describe());
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
}
