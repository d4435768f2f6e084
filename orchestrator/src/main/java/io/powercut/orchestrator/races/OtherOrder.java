// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.injection.RecordedInjection;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.TargetFailedException;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.facts.FailedOrder;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Runs a target again whose threads ran one after the other in the recorded run, since nearly all
 * that they share then looks like initialisation (HawkSet, section 3.1.3). In this run they pause,
 * and so take turns. A crash is tried for the races that happen there.
 */
public final class OtherOrder {
  /** Which of the orders it is. */
  static final int NUMBER = 1;

  /** What is done, for people. */
  static final String PHASE =
      "the threads used PM one after the other: looking for races in an order in which they take turns";

  private final Campaign campaign;
  private final RunParts parts;
  private final Workplace workplace;
  private final Scope scope;

  /**
   * @param scope which failure points, and what that may cost
   */
  public OtherOrder(Campaign campaign, RunParts parts, Scope scope) {
    this.campaign = campaign;
    this.parts = parts;
    this.workplace = parts.workplace();
    this.scope = scope;
  }

  /** An order in which the target failed, whatever is wrong with it. */
  static FailedOrder failure(ThreadSchedule order, TargetFailedException failure) {
    return new FailedOrder(order.policy().label(), order.seed(), failure.problem(), 1);
  }

  /**
   * Runs the target once more, if its threads ran one after the other and no other order was
   * wanted.
   *
   * @param base the PM directory after set-up
   * @param races of the recorded run
   * @param tree gets the failure points at which something was judged
   * @param results get what was judged
   * @return the races of both runs
   */
  public RaceLog search(Path base, RaceLog races, FailurePointTree tree, ResultListener results) {
    if (!races.serial() || campaign.races().runs() > 1 || !scope.budget().isLeft()) {
      return races;
    }
    workplace.phases().begin(PHASE);
    ThreadSchedule order = ThreadSchedules.another(campaign, NUMBER);
    Observation observation = Observation.ofRaces(campaign, campaign.races().options());
    try {
      run(base, order, observation, tree, results);
    } catch (TargetFailedException e) {
      return races.failedIn(List.of(failure(order, e)));
    } catch (PowercutException e) {
      workplace.phases().note("in another order of threads: " + e.getMessage());
      return races;
    }
    return observation
        .races()
        .map(others -> RaceLog.united(List.of(races, others)).failedIn(races.failures()))
        .orElse(races);
  }

  private void run(
      Path base,
      ThreadSchedule order,
      Observation observation,
      FailurePointTree tree,
      ResultListener results) {
    int number = ThreadSchedules.nextHeld(workplace.directory());
    boolean isKept = false;
    try (PrivateDirectory scratch = workplace.resources().area().newDirectory()) {
      HeldRun judged =
          new HeldRun(InstrumentedRun.emptyTree(campaign), scratch.path().resolve("states.jsonl"));
      RecordedInjection injection =
          new RecordedInjection(
              campaign,
              workplace,
              Recording.held(parts.instrumentedRun(order), number, observation),
              parts.recoveries(scope.budget()::isTimeLeft),
              scope,
              judged.logs());
      Optional<Execution> ended = injection.runHeld(base, judged.tree());
      if (ended.isPresent()) {
        try (Execution execution = ended.get()) {
          if (judged.hasResults()) {
            ThreadSchedules.keep(execution, workplace.directory(), number);
            isKept = true;
            judged.report(tree, results);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!isKept) {
        removeImages(number);
      }
    }
  }

  /** Of an order that is not kept. */
  private void removeImages(int order) {
    Path images = workplace.directory().imagesDirectory();
    if (!Files.isDirectory(images)) {
      return;
    }
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(images, "{*-order-%1$d,*-order-%1$d-*}".formatted(order))) {
      for (Path image : left) {
        Removal.remove(image);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
