// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.orchestrator.exploration.AdviceQuestions;
import io.powercut.orchestrator.exploration.KnownCulprits;
import io.powercut.orchestrator.exploration.StateExplorer;
import io.powercut.orchestrator.exploration.StateOptions;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.timeline.RecentEvents;
import io.powercut.report.evidence.Judgement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workers, with a recovery that is a function. */
class ImageWorkersTest {
  @TempDir private Path folder;
  private ProgramByHand program;
  private Judging judging;
  private final KeptResults results = new KeptResults();
  private final AtomicInteger recovered = new AtomicInteger();

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    judging = program.judging(requires(0), results);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  private ImageWorkers workers(FakeRecovery recovery) {
    judging = program.judging(recovery, results);
    StateExplorer explorer =
        new StateExplorer(
            program.workplace(),
            judging,
            new StateOptions(Optional.empty(), Searches.none()),
            program.tables(),
            new KnownCulprits(),
            new AdviceQuestions());
    return new ImageWorkers(
        program.resources(), judging, explorer, (point, hash) -> recovered.incrementAndGet());
  }

  private void submit(ImageWorkers workers, int source) throws IOException {
    judging.images().pass(program.state().hash(), ProgramByHand.at(source));
    workers.submit(
        ProgramByHand.at(source),
        program.state(),
        Optional.empty(),
        Beside.NOTHING,
        new RecentEvents());
  }

  private static FakeRecovery requires(int line) {
    return new FakeRecovery(
        pool -> pool.at(line, 0) == 0 ? Optional.of("line is missing") : Optional.empty());
  }

  @Test
  void everyOccurrenceShouldGetAVerdictAndEqualImagesOneRecovery() throws IOException {
    FakeRecovery recovery = requires(0);
    try (ImageWorkers workers = workers(recovery)) {
      submit(workers, 1);
      submit(workers, 2);
      program.store(3, 0, 0, 1);
      submit(workers, 4);
      submit(workers, 5);
      workers.finish(new Budget(program.campaign()));
    }

    assertThat(recovery.runs()).isEqualTo(2);
    assertThat(results.judged()).hasSize(4);
    assertThat(results.judged().stream().filter(Judgement::isBug)).hasSize(2);
    assertThat(recovered).hasValue(1);
  }

  @Test
  void statesShouldBeExploredOnlyWhereProgramOrderIsConsistent() throws IOException {
    FakeRecovery recovery = requires(0);
    try (ImageWorkers workers = workers(recovery)) {
      program.store(3, 1, 0, 1);
      judging.images().pass(program.state().hash(), ProgramByHand.at(4));
      workers.submit(program.cut(4));
      program.store(5, 0, 0, 1);
      judging.images().pass(program.state().hash(), ProgramByHand.at(6));
      workers.submit(program.cut(6));
      workers.finish(new Budget(program.campaign()));
    }

    assertThat(results.judged()).hasSize(2);
    assertThat(results.explored()).hasSize(1);
    assertThat(results.explored().get(0).findings()).hasSize(1);
  }

  @Test
  void failureOfAWorkerShouldEndTheRunsThread() throws IOException {
    FakeRecovery broken =
        new FakeRecovery(
            pool -> {
              throw new IllegalStateException("a disk was pulled");
            });
    try (ImageWorkers workers = workers(broken)) {
      submit(workers, 1);
      assertThatThrownBy(() -> workers.finish(new Budget(program.campaign())))
          .hasMessage("a disk was pulled");
    }
  }
}
