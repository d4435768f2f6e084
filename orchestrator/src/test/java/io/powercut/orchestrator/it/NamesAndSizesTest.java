// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The power is cut between changes of names and sizes, at which nothing is stored. */
@Tag("campaign")
class NamesAndSizesTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/renaming.c");
    Path campaign =
        workbench.write(
            "renaming.yaml",
            """
            name: renaming
            parameters: {habit: correct}
            setup: {command: [%1$s, create, "{habit}", "{pm}"]}
            target: {command: [%1$s, run, "{habit}", "{pm}"]}
            recovery: {command: [%1$s, check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "renaming", "parameters.habit", List.of());
  }

  private static List<String> titles(String habit) throws Exception {
    return runs.report(habit, "occurrences=null").findings().stream()
        .map(finding -> finding.title().replaceAll(" at \\S*/renaming\\.c:\\d+", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unlink-first | the image has the unlink of data at replace and lacks the rename of data.new"
            + " to data at replace, which comes later: leave out the unlink, as rename replaces a"
            + " file in one step",
        "unlink-early | the image has the unlink of table.0 at rotate and lacks 3 changes that come"
            + " later, from the creation of index.new at write_lines to the rename of index.new to"
            + " index at rotate: unlink it after these",
        "two-renames | the image has the rename of left.new to left at replace_pair and lacks the"
            + " rename of right.new to right at replace_pair, which comes later",
      })
  void changeThatComesTooEarlyShouldBeNamed(String habit, String reason) throws Exception {
    assertThat(titles(habit))
        .containsExactly("recovery failed: it exited with code 1, expected exit code 0; " + reason);
  }

  /** Nothing else than the locked instruction is between the write and the rename. */
  @Test
  void renameBeforeItsFsyncShouldBeFoundBehindAFence() throws Exception {
    assertThat(titles("late-fsync"))
        .singleElement()
        .asString()
        .contains("is synchronised too late", "call fsync on the file before the rename to data");
  }

  @Test
  void logThatIsCutBeforeItsLengthShouldBeFound() throws Exception {
    assertThat(titles("cut-early"))
        .singleElement()
        .asString()
        .contains("is synchronised too late", "; the resize of log at cut_log")
        .endsWith("takes effect before, and recovery succeeds without both");
  }

  @Test
  void fileThatIsWrittenAnewInItsPlaceShouldBeFound() throws Exception {
    assertThat(titles("in-place"))
        .containsExactly(
            "the store at write_mode is synchronised too late, at write_mode; the resize of mode at"
                + " write_mode takes effect before, and recovery succeeds without both");
  }

  @Test
  void correctOneShouldHaveNoFinding() throws Exception {
    assertThat(runs.report("correct", "occurrences=null").findings()).isEmpty();
  }

  /** The target stops before such a call, too. */
  @Test
  void reExecutedRunShouldFindWhatTheRecordedOneDoes() throws Exception {
    Workbench.Said said = runs.run("unlink-first", "injection=re-executed");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("in replace at", "before rename");
  }
}
