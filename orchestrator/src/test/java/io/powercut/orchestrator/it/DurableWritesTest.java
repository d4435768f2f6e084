// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
  @CsvSource(
      delimiter = '|',
      value = {
        "count-first | recorded | a record is counted and is not there",
        "count-first,appended | recorded | a record is counted and is not there",
        "count-first,flagged | recorded | a record is counted and is not there",
        "count-first,appended,flagged | recorded | a record is counted and is not there",
        "announced-early | recorded | a record was announced and is not counted",
        "announced-early,appended | recorded | a record was announced and is not counted",
        "count-first | re-executed | a record is counted and is not there",
        "count-first,appended | re-executed | a record is counted and is not there",
      })
  void mistakeShouldBeOneFinding(String habits, String injection, String message) throws Exception {
    assertThat(runs.run(habits, "injection=" + injection).output())
        .contains(
            "findings        1 bug,", "the store at write_durably", "recovery said: " + message);
  }
}
