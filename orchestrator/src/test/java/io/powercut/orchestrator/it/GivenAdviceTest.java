// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Finding;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is advised where it is not plain what is wrong. */
@Tag("campaign")
class GivenAdviceTest {
  private static final String FLUSHED =
      ": add a flush of its line and a fence after the store (verified)";

  private static final String IN_LINE =
      ", which comes later and is to the same cache line: store in the other order; one cache line"
          + " persists in store order (verified)";

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    workbench.compile("programs/advice.c", "", List.of("-O1"));
    Path campaign =
        workbench.write(
            "advice.yaml",
            """
            name: advice
            parameters: {habit: correct}
            target: {command: ["%1$s/advice", run, "{habit}", "{pm}"]}
            recovery: {command: ["%1$s/advice", check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(workbench.directory()));
    runs =
        new CampaignRuns(
            workbench,
            campaign,
            "advice",
            "parameters.habit",
            List.of("occurrences={first: 10}", "crashStates.perFailurePoint=64"));
  }

  /** Without the place of the program. */
  private static String title(Finding finding) {
    return finding.title().replaceAll(" at \\S*/advice\\.c:\\d+", "");
  }

  @Test
  void eachMistakeShouldBeAFindingWithTheAdviceThatHelps() throws Exception {
    assertThat(runs.report("mistaken").findings())
        .extracting(GivenAdviceTest::title)
        .containsExactlyInAnyOrder(
            "the store to slot->value at insert is not flushed before the store to slot->token at"
                + " insert can persist"
                + FLUSHED,
            "the store to entry->right at split is not flushed: add a flush of its line after the"
                + " store; the fence it needs already follows (verified)",
            "the store to pairs[i + 1].key at shift can persist without the store to"
                + " pairs[i + 1].pointer at shift"
                + IN_LINE,
            "the store to record->valid at announce can persist without the store to record->data"
                + " at announce, which comes later: make the store that may persist alone after the"
                + " other one, and after a flush and a fence of that (verified)",
            "the store at renumber and the store to triple->number at renumber can persist one"
                + " without the other: write both to a log before, or to a new place that recovery takes"
                + " only if a checksum matches, or a flag is set that is persisted after both"
                + " (verified)",
            "the store to bucket->token at move can persist without the store to bucket->token at"
                + " move, which comes later and is to the same cache line: store the final value at"
                + " once; both stores change the same bytes (verified)");
  }

  @Test
  void correctOneShouldHaveNoFinding() throws Exception {
    assertThat(runs.report("correct").findings()).isEmpty();
  }
}
