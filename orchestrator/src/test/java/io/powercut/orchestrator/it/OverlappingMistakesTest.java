// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes that show while recovery fails for another one. */
@Tag("campaign")
class OverlappingMistakesTest {
  private static final String FLUSHED =
      ": add a flush of its line and a fence after the store (verified)";

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    String source = "programs/overlap.c";
    workbench.compile(source, "-looping", List.of("-O1"));
    workbench.compile(source, "-unrolled", List.of("-O1", "-DUNROLLED"));
    Path campaign =
        workbench.write(
            "overlap.yaml",
            """
            name: overlap
            parameters: {habit: correct, loop: looping}
            target: {command: ["%1$s/overlap-{loop}", run, "{habit}", "{pm}"]}
            recovery: {command: ["%1$s/overlap-{loop}", check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(workbench.directory()));
    runs =
        new CampaignRuns(
            workbench,
            campaign,
            "overlap",
            "parameters.habit",
            List.of("occurrences=null", "occurrences.share=0"));
  }

  /** Without the place of the program. */
  private static String title(Finding finding) {
    return finding
        .title()
        .replaceAll(" at \\S*/overlap\\.c:\\d+", "")
        .replace("recovery failed: it exited with code ", "exit ")
        .replace(", expected exit code 0; the image", "");
  }

  /** Advice for a line holds for every place that it was compiled to, and called from. */
  @ParameterizedTest
  @ValueSource(strings = {"looping", "unrolled"})
  void eachMistakeShouldBeAFindingWithItsOwnAdvice(String loop) throws Exception {
    Report report = runs.report("mistaken", "parameters.loop=" + loop);

    assertThat(report.findings())
        .extracting(OverlappingMistakesTest::title)
        .containsExactlyInAnyOrder(
            "exit 3 has the store to pool->total.value at sum and lacks 2 stores that"
                + " come later, from the store to pool->data[value - 1].value at append to the"
                + " store to pool->count.value at append",
            "the store to pool->data[value - 1].value at append is not flushed" + FLUSHED,
            "the store to pool->copy.value at rename_to is flushed too late, at rename_to, after"
                + " the store to pool->is_named.value at rename_to can persist"
                + FLUSHED,
            "the store to to->value at put is not followed by a fence before the store to"
                + " pool->is_put.value at move can persist: add a fence after the flush (verified)",
            "exit 8 has the store to pool->old.value at move and lacks the store to to->value"
                + " by put at move, which comes later: store and persist the later one first",
            "exit 6 has the store to pool->is_full.value at fill and lacks 4 stores that come"
                + " later, from the store to pool->content.value at fill to the store to"
                + " pool->count.value at append",
            "the store to pool->content.value at fill is not flushed" + FLUSHED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"looping", "unrolled"})
  void correctOneShouldHaveNoFinding(String loop) throws Exception {
    assertThat(runs.report("correct", "parameters.loop=" + loop).findings()).isEmpty();
  }
}
