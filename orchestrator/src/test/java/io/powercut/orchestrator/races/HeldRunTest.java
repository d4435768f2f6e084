// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePoint;
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

  private Judgement judged(long ordinal, Verdict.Kind kind, String output) {
    CallStack stack =
        CallStack.of(Frame.of("app", 0x10 * ordinal, "put", "/src/a.c", (int) ordinal));
    tree.reach(stack, Instruction.CLWB, ordinal);
    FailurePoint point =
        tree.failurePoints().stream()
            .filter(one -> one.firstOrdinal() == ordinal)
            .findFirst()
            .orElseThrow();
    return new Judgement(
        point.id(),
        1,
        2,
        kind,
        "recovery failed: it exited with code 1, expected exit code 0",
        "recovery",
        output,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(ordinal),
        1,
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void firstOfFailuresInTheSameWordsShouldCountWhicheverWasJudgedFirst() {
    HeldRun run = new HeldRun(tree, folder.resolve("states.jsonl"));
    Judgement first = judged(10, Verdict.Kind.UNRECOVERABLE, "the list is broken\n");
    Judgement again = judged(20, Verdict.Kind.UNRECOVERABLE, "the list is broken\n");
    Judgement other = judged(30, Verdict.Kind.UNRECOVERABLE, "the count is wrong\n");
    Judgement fine = judged(5, Verdict.Kind.CONSISTENT, "");
    Judgement later = judged(40, Verdict.Kind.CONSISTENT, "");
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
