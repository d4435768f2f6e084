// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A commit that synchronises what several functions wrote, before or after its own store. */
@Tag("campaign")
class LateCommitTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/generations.c", "", List.of("-O1"));
    Path campaign =
        workbench.write(
            "generations.yaml",
            """
            name: generations
            parameters: {habit: correct}
            target: {command: ["%1$s", run, "{habit}", "{pm}"]}
            recovery: {command: ["%1$s", check, "{habit}", "{pm}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "generations", "parameters.habit", List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "correct, 0, 0",
    "first, 1, 1",
    "leaf, 0, 1",
    "both, 1, 2",
  })
  void eachMistakeShouldBeOneFinding(String habit, int late, int all) throws Exception {
    List<String> titles =
        runs.report(habit).findings().stream().map(finding -> finding.title()).toList();

    assertThat(titles).hasSize(all);
    assertThat(titles)
        .filteredOn(title -> title.contains(" is synchronised too late"))
        .hasSize(late);
    assertThat(titles)
        .filteredOn(title -> title.contains("write_leaf") && title.contains("is not synchronised"))
        .hasSize(all - late);
  }
}
