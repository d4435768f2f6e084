// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Frame;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is passed on of a run in another order of threads. */
class HeldRunTest {
  @TempDir private Path folder;

  private final FailurePointTree tree = newTree();

  private static FailurePointTree newTree() {
    return new FailurePointTree("app", Granularity.PERSISTENCY, ExcludedFunctions.NONE);
  }

  private Judgement judged(long ordinal, Optional<String> problem) {
    CallStack stack =
        CallStack.of(Frame.of("app", 0x10 * ordinal, "put", "/src/a.c", (int) ordinal));
    tree.reach(stack, Instruction.CLWB, ordinal);
    FailurePointId id =
        tree.failurePoints().stream()
            .filter(one -> one.firstOrdinal() == ordinal)
            .map(FailurePoint::id)
            .findFirst()
            .orElseThrow();
    return FakeRecovery.verdict(new Occurrence(id, 1), problem).at(ordinal);
  }

  @Test
  void firstOfFailuresInTheSameWordsShouldCountWhicheverWasJudgedFirst() {
    HeldRun run = new HeldRun(tree, folder.resolve("states.jsonl"));
    Judgement first = judged(10, Optional.of("the list is broken"));
    Judgement again = judged(20, Optional.of("the list is broken"));
    Judgement other = judged(30, Optional.of("the count is wrong"));
    Judgement fine = judged(5, Optional.empty());
    Judgement later = judged(40, Optional.empty());
    List.of(later, other, again, first, fine).forEach(run::judged);
    FailurePointTree whole = newTree();
    List<Judgement> passed = new ArrayList<>();

    run.report(whole, passed::add);

    assertThat(passed).containsExactly(fine, first, other, later);
    assertThat(whole.failurePoints())
        .extracting(FailurePoint::id)
        .containsExactlyInAnyOrderElementsOf(
            passed.stream().map(Judgement::failurePointId).toList());
  }
}
