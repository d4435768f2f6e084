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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction is committed by deleting the journal that would undo it. */
@Tag("campaign")
class DeletedJournalTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/deleted-journal.c");
    Path campaign =
        workbench.write(
            "journal.yaml",
            """
            name: journal
            parameters: {habit: correct}
            setup: {command: [%1$s, create, "{habit}", "{pm}"]}
            target: {command: [%1$s, run, "{habit}", "{pm}"]}
            recovery: {command: [%1$s, check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "journal", "parameters.habit", List.of());
  }

  /** All that a transfer changes is one finding, whatever the accounts are. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "journal-late | the store at write_journal is not synchronised before the store to"
            + " a balance at transfer can persist: call fsync on the file right"
            + " after the store (verified)",
        "pool-late | the store to a balance at transfer is not synchronised:"
            + " call msync or fsync for it before journal is removed (verified)",
        "deleted-early | the store to a balance at transfer is synchronised too late,"
            + " at synchronise_pool; the unlink of journal at transfer takes effect before, and"
            + " recovery succeeds without both",
      })
  void mistakeShouldBeOneFinding(String habit, String title) throws Exception {
    assertThat(runs.report(habit).findings())
        .extracting(
            finding ->
                finding
                    .title()
                    .replaceAll(" at \\S*/deleted-journal\\.c:\\d+", "")
                    .replaceAll("accounts\\[(from|to)].balance", "a balance"))
        .containsExactly(title);
  }

  /** Only of the store before the deletion there is advice. */
  @Test
  void deletionBeforeAFlushShouldBeOneFinding() throws Exception {
    assertThat(runs.report("deleted-early,flushed").findings())
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .contains("is flushed too late", "; the unlink of journal at transfer")
        .endsWith("takes effect before, and recovery succeeds without both");
  }

  @ParameterizedTest
  @ValueSource(strings = {"correct", "correct,flushed"})
  void correctProgramShouldHaveNoFinding(String habits) throws Exception {
    assertThat(runs.report(habits).findings()).isEmpty();
  }
}
