// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.JudgedStops;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Injection by re-execution, with a target and a recovery that are functions. */
class ReExecutedInjectionTest {
  private static final TargetByHand.Program FLAG_FIRST =
      calls -> calls.store(20, 1, 1).flush(21, 1).fence(22).store(10, 0, 1).flush(11, 0).fence(12);

  @TempDir private Path folder;
  private HandRun run;
  private final KeptResults results = new KeptResults();

  private final FakeRecovery recovery =
      new FakeRecovery(
          pool ->
              pool.at(1, 0) > pool.at(0, 0)
                  ? Optional.of("the flag is ahead of the value")
                  : Optional.empty());

  @BeforeEach
  void open() throws IOException {
    run = new HandRun(folder);
  }

  @AfterEach
  void close() throws IOException {
    run.close();
  }

  private FailurePointTree tree(TargetByHand.Program program) throws IOException {
    FailurePointTree tree = InstrumentedRun.emptyTree(run.campaign());
    new InstrumentedRun(run.campaign(), new TargetByHand(program), run.resources(), Progress.SILENT)
        .run(run.base(), tree, Observation.ofNumbers())
        .close();
    return tree;
  }

  private void inject(
      Campaign campaign,
      TargetByHand target,
      FailurePointTree tree,
      Predicate<FailurePointId> wanted) {
    new ReExecutedInjection(
            campaign,
            target,
            run.resources(),
            Progress.SILENT,
            new JudgedStops(run.resources(), recovery, results),
            new Scope(wanted, new Budget(campaign)))
        .run(run.base(), tree);
  }

  @Test
  void targetShouldBeStoppedOnceAtEachLeaf() throws IOException {
    TargetByHand target = new TargetByHand(FLAG_FIRST);
    FailurePointTree tree = tree(FLAG_FIRST);
    inject(run.campaign(), target, tree, id -> true);

    assertThat(target.runs()).isEqualTo(2);
    assertThat(tree.visitedCount()).isEqualTo(2);
    assertThat(results.judged())
        .filteredOn(Judgement::isBug)
        .extracting(Judgement::failurePointId)
        .containsExactly(TargetByHand.stack(21).id());
    assertThat(results.judged()).hasSize(2);
  }

  @Test
  void leafThatIsNotReachedAgainShouldBeGivenUpWithAReason() throws IOException {
    FailurePointTree tree = tree(FLAG_FIRST);
    TargetByHand target = new TargetByHand(calls -> calls.store(20, 1, 1).flush(21, 1));
    inject(run.campaign(), target, tree, id -> true);

    assertThat(target.runs()).isEqualTo(3);
    assertThat(results.judged())
        .filteredOn(one -> one.kind() == Verdict.Kind.INCONCLUSIVE)
        .singleElement()
        .satisfies(one -> assertThat(one.seen()).contains("not reached again"));
  }

  @Test
  void leavesOfOtherPartsShouldNotBeStoppedAt() throws IOException {
    FailurePointId other = TargetByHand.stack(11).id();
    inject(run.campaign(), new TargetByHand(FLAG_FIRST), tree(FLAG_FIRST), id -> id.equals(other));

    assertThat(results.judged()).extracting(Judgement::failurePointId).containsExactly(other);
  }

  @Test
  void spentBudgetShouldEndTheExecutions() throws IOException {
    TargetByHand target = new TargetByHand(FLAG_FIRST);
    inject(run.campaign("limits: {images: 1}\n"), target, tree(FLAG_FIRST), id -> true);

    assertThat(target.runs()).isEqualTo(1);
  }

  @Test
  void interruptionShouldEndTheExecutions() throws IOException {
    FailurePointTree tree = tree(FLAG_FIRST);
    Campaign campaign = run.campaign();
    run.interrupt();

    assertThatThrownBy(() -> inject(campaign, new TargetByHand(FLAG_FIRST), tree, id -> true))
        .isInstanceOf(InterruptedRunException.class);
    assertThat(results.judged()).isEmpty();
  }
}
