// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Finding;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What several functions write to a file that nobody synchronises. */
@Tag("campaign")
class MissingCallTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/commit-sync.c", "", List.of("-O1"));
    Path campaign =
        workbench.write(
            "calls.yaml",
            """
            name: calls
            parameters: {habit: correct}
            setup: {command: ["%1$s", check, "{habit}", "{pm}"]}
            target: {command: ["%1$s", run, "{habit}", "{pm}"]}
            recovery: {command: ["%1$s", check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "calls", "parameters.habit", List.of());
  }

  private static String lost(Finding finding) {
    return finding.title().replaceAll("the store at (\\w+) .*", "$1");
  }

  /** In several orders no place is behind all writes: each lacks a call, or the commit does. */
  @ParameterizedTest
  @CsvSource({
    "correct, ''",
    "last, rename_to",
    "both, erase rename_to",
    "any, put erase rename_to"
  })
  void callBehindTheLastWriteShouldBeOneFinding(String habit, String lost) throws Exception {
    assertThat(runs.report(habit).findings())
        .extracting(MissingCallTest::lost)
        .containsExactlyInAnyOrder(lost.isEmpty() ? new String[0] : lost.split(" "));
  }
}
