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

/** A program that calls no fsync: what it writes is durable when the call returns (O_DSYNC). */
@Tag("campaign")
class DurableWritesTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/durable-writes.c");
    Path campaign =
        workbench.write(
            "durable.yaml",
            """
            name: durable
            parameters: {habits: correct}
            setup: {command: [%1$s, create, "{pm}", "{habits}"]}
            target: {command: [%1$s, run, "{pm}", "{habits}"]}
            recovery: {command: [%1$s, check, "{pm}", "{acknowledged}"]}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "durable", "parameters.habits", List.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"correct", "correct,appended", "correct,flagged", "correct,appended,flagged"})
  void correctProgramShouldHaveNoBug(String habits) throws Exception {
    Report report = runs.report(habits);

    assertThat(report.findings()).isEmpty();
    assertThat(report.failurePoints().unique()).isGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count-first",
        "count-first,appended",
        "count-first,flagged",
        "count-first,appended,flagged"
      })
  void countBeforeTheRecordShouldBeOneFinding(String habits) throws Exception {
    assertThat(runs.report(habits).findings())
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .contains("recovery failed", "the image lacks", "at write_durably");
  }

  @ParameterizedTest
  @ValueSource(strings = {"announced-early", "announced-early,appended"})
  void announcementBeforeTheWriteShouldBeOneFinding(String habits) throws Exception {
    assertThat(runs.report(habits).findings())
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .contains("recovery failed", "the image lacks", "at write_durably");
  }

  @ParameterizedTest
  @ValueSource(strings = {"count-first", "count-first,appended"})
  void shouldBeFoundWhenTheTargetIsStoppedThereToo(String habits) throws Exception {
    Report report = runs.report(habits, "injection=re-executed");

    assertThat(report.findings())
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .contains("recovery failed", "the image lacks", "at write_durably");
  }
}
