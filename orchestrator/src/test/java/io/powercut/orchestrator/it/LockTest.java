// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.format.Json;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failure points in the C library's locks are judged behind all others. */
@Tag("campaign")
class LockTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void build() {
    Path program = workbench.compile("programs/locks.c");
    Path campaign =
        workbench.write(
            "locks.yaml",
            """
            name: locks
            target: {command: [%1$s, run, "{pm}"]}
            recovery: {command: [%1$s, check, "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "locks", "injection", List.of());
  }

  /** In the order in which they were judged, the instruction's function in front of its caller. */
  private static List<String> judged() throws IOException {
    Path run = runs.latest();
    FailurePointTree tree = Workbench.tree(run);
    List<String> judged = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve("verdicts.jsonl"))) {
      Judgement judgement = Json.parse(line, Judgement.class);
      FailurePoint point =
          tree.failurePoints().stream()
              .filter(one -> one.id().toString().equals(judgement.failurePointId().toString()))
              .findFirst()
              .orElseThrow();
      String caller = point.stack().frames().get(1).function();
      judged.add((point.instruction() == Instruction.LOCKED ? "locked " : "") + caller);
    }
    return judged;
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorded", "re-executed"})
  void locksOfTheCLibraryShouldBeJudgedLast(String injection) throws IOException {
    Said said = runs.run(injection, "limits.parallel=1");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(judged())
        .containsExactly(
            "under_mutex",
            "under_rwlock",
            "locked main",
            "counted",
            "locked under_mutex",
            "locked under_rwlock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorded", "re-executed"})
  void budgetShouldCutThemFirst(String injection) throws IOException {
    Said said = runs.run(injection, "limits.parallel=1", "limits.images=4");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(judged()).doesNotContain("locked under_mutex", "locked under_rwlock").hasSize(4);
    assertThat(Workbench.tree(runs.latest()).size()).isEqualTo(6);
  }
}
