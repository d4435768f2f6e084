// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import io.powercut.campaign.Campaign;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.injection.RecordedInjection;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.injection.Scope;
import io.powercut.orchestrator.judging.ResultListener;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the target once more in an order of threads, and tries crashes for the races that happen
 * there. The order and the images are kept if a crash was tried and the target came to its end.
 */
public final class OrderedRun {
  private final Campaign campaign;
  private final RunParts parts;
  private final Workplace workplace;
  private final Scope scope;

  /**
   * @param scope which failure points, and what that may cost
   */
  public OrderedRun(Campaign campaign, RunParts parts, Scope scope) {
    this.campaign = campaign;
    this.parts = parts;
    this.workplace = parts.workplace();
    this.scope = scope;
  }

  /**
   * Runs it.
   *
   * @param base the PM directory after set-up
   * @param observation gets the races
   * @param tree gets the failure points at which something was judged
   * @param results get what was judged
   * @return where recovery failed; nothing if the target did not come to its end
   */
  Optional<Set<Occurrence>> run(
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
      if (ended.isEmpty()) {
        return Optional.empty();
      }
      try (Execution execution = ended.get()) {
        if (judged.hasResults()) {
          ThreadSchedules.keep(execution, workplace.directory(), number);
          isKept = true;
          judged.report(tree, results);
        }
      }
      return Optional.of(judged.failing());
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
