// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One helper writes to several files, and nothing tells for whom: as in a script's runtime. */
@Tag("campaign")
class WithoutSourceTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/two-files.c", "", List.of("-O1", "-g0"));
    Path campaign =
        workbench.write(
            "two-files.yaml",
            """
            name: two-files
            parameters: {habits: correct}
            target: {command: [%1$s, "{habits}", "{pm}"]}
            recovery: {command: [%1$s, check, "{pm}", "{acknowledged}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "two-files", "parameters.habits", List.of());
  }

  @Test
  void mistakesInSeveralFilesShouldBeSeveralFindings() throws Exception {
    assertThat(runs.report("forgetful").findings())
        .extracting(finding -> finding.title().replaceAll(" at put .*", ""))
        .containsExactlyInAnyOrder("the store to log", "the store to index");
  }

  @Test
  void correctProgramShouldHaveNoFinding() throws Exception {
    Report report = runs.report("correct");
    assertThat(report.findings()).isEmpty();
    Workbench.requireComplete(report);
  }
}
