// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.Finding;
import io.powercut.tree.UserCode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One flush of a whole object is missing, which many lines of code stored to. */
@Tag("campaign")
class ObjectsOfSeveralLinesTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/pages.c");
    Path campaign =
        workbench.write(
            "pages.yaml",
            """
            name: pages
            parameters: {habit: correct}
            target: {command: [%1$s, run, "{habit}", "{pm}"]}
            recovery: {command: [%1$s, check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "pages", "parameters.habit", List.of());
  }

  private static String function(Finding finding) {
    return UserCode.of(finding.injection().orElseThrow().place())
        .map(StackFrame::function)
        .orElse("");
  }

  @Test
  void oneMissingFlushOfAnObjectShouldBeOneFinding() throws Exception {
    assertThat(runs.report("seal").findings())
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.proofs())
                    .flatExtracting(proof -> proof.lost().stream().limit(1).toList())
                    .extracting(lost -> lost.substring(0, lost.indexOf(' ')))
                    .contains("fill", "seal"));
  }

  @Test
  void objectsSideBySideShouldLackAFlushEach() throws Exception {
    assertThat(runs.report("sides").findings())
        .extracting(ObjectsOfSeveralLinesTest::function)
        .containsExactlyInAnyOrder("fill_left", "fill_right");
  }

  @Test
  void correctOneShouldHaveNoFinding() throws Exception {
    assertThat(runs.report("correct").findings()).isEmpty();
  }
}
