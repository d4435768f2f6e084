// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One mistake that is seen at two places of a program. */
@Tag("campaign")
class TwoPlacesTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program =
        workbench.compile(
            "programs/journal.c", "", List.of("-O2", "-mclwb", "-fno-optimize-sibling-calls"));
    Path campaign =
        workbench.write(
            "journal.yaml",
            """
            name: journal
            parameters: {habit: correct}
            target: {command: ["%1$s", run, "{habit}", "{pm}"]}
            recovery: {command: ["%1$s", check, "{habit}", "{pm}", "{acknowledged}"]}
            patterns: {enabled: false}
            occurrences: {first: 1, last: 1}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "journal", "parameters.habit", List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "answered, write_note, is not followed by a fence in time",
    "batched, publish, is not followed by a fence before the store to pool->count at publish",
    "cut, remove_node, the image has the store to pool->nodes[n].is_there at remove_node and lacks",
  })
  void shouldBeOneFinding(String habit, String place, String title) throws Exception {
    Report report = runs.report(habit);

    assertThat(report.findings())
        .extracting(TwoPlacesTest::title)
        .singleElement()
        .asString()
        .contains(title);
    assertThat(report.findings().get(0).injection().orElseThrow().stack())
        .anySatisfy(frame -> assertThat(frame.function()).isEqualTo(place));
  }

  /** Without the place of the program. */
  private static String title(Finding finding) {
    return finding.title().replaceAll(" at \\S*/journal\\.c:\\d+", "");
  }

  /** The function that computes a checksum and was inlined stores nothing. */
  @Test
  void whatComputesShouldNotStore() throws Exception {
    Report report = runs.report("answered");

    assertThat(report.findings().get(0).proofs())
        .flatExtracting(proof -> proof.lost())
        .isNotEmpty()
        .allSatisfy(lost -> assertThat(lost).asString().contains("write_note"));
  }

  @Test
  void correctOneShouldHaveNoFinding() throws Exception {
    assertThat(runs.report("correct").findings()).isEmpty();
  }
}
