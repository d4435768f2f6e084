// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.JudgedStops;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.StopHandler;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Injection by re-execution, with a target and a recovery that are functions. */
class ReExecutedInjectionTest {
  @RegisterExtension private final HandRun run = HandRun.open();
  private final KeptResults results = new KeptResults();
  private final FakeRecovery recovery = FakeRecovery.ofFlagAndValue();

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
            new JudgedStops(run.resources(), recovery, results),
            new Scope(wanted, new Budget(campaign)))
        .run(run.base(), tree);
  }

  @Test
  void targetShouldBeStoppedOnceAtEachLeaf() throws IOException {
    TargetByHand target = new TargetByHand(TargetByHand.FLAG_FIRST);
    FailurePointTree tree = tree(TargetByHand.FLAG_FIRST);
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
  void stopShouldShowTheFilesAsTheyAreBeforeTheInstruction() throws IOException {
    Map<FailurePointId, String> seen = new HashMap<>();
    StopHandler stops =
        new StopHandler() {
          @Override
          public void stopped(FailurePointId id, Path pm, Optional<Acknowledgement> acknowledged) {
            try {
              byte[] pool = Files.readAllBytes(pm.resolve(TargetByHand.FILE));
              seen.put(id, "value %d, flag %d".formatted(pool[0], pool[64]));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }

          @Override
          public void missed(FailurePointId id, String reason) {
            throw new AssertionError(reason);
          }
        };
    new ReExecutedInjection(
            run.campaign(),
            new TargetByHand(TargetByHand.FLAG_FIRST),
            run.resources(),
            stops,
            Scope.all(new Budget(run.campaign())))
        .run(run.base(), tree(TargetByHand.FLAG_FIRST));

    assertThat(seen)
        .containsOnly(
            Map.entry(TargetByHand.stack(21).id(), "value 0, flag 1"),
            Map.entry(TargetByHand.stack(11).id(), "value 1, flag 1"));
    assertThat(Files.readAllBytes(run.base().resolve(TargetByHand.FILE))).containsOnly(0);
  }

  @Test
  void leafThatIsNotReachedAgainShouldBeGivenUpWithAReason() throws IOException {
    FailurePointTree tree = tree(TargetByHand.FLAG_FIRST);
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
    inject(
        run.campaign(),
        new TargetByHand(TargetByHand.FLAG_FIRST),
        tree(TargetByHand.FLAG_FIRST),
        id -> id.equals(other));

    assertThat(results.judged()).extracting(Judgement::failurePointId).containsExactly(other);
  }

  @Test
  void spentBudgetShouldEndTheExecutions() throws IOException {
    TargetByHand target = new TargetByHand(TargetByHand.FLAG_FIRST);
    inject(
        run.campaign("limits: {images: 1}\n"), target, tree(TargetByHand.FLAG_FIRST), id -> true);

    assertThat(target.runs()).isEqualTo(1);
  }

  @Test
  void interruptionShouldEndTheExecutions() throws IOException {
    FailurePointTree tree = tree(TargetByHand.FLAG_FIRST);
    Campaign campaign = run.campaign();
    run.interrupt();

    assertThatThrownBy(
            () -> inject(campaign, new TargetByHand(TargetByHand.FLAG_FIRST), tree, id -> true))
        .isInstanceOf(InterruptedRunException.class);
    assertThat(results.judged()).isEmpty();
  }
}
