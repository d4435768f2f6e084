// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Outcome;
import io.powercut.tree.Severity;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads of which one waits for a disk while others go on: by default they do so here, too. */
@Tag("campaign")
class GroupCommitTest {
  private static final Path CAMPAIGN =
      Workbench.home().resolve("configs/threads/group-commit.yaml");

  @RegisterExtension private static final Workbench workbench = Workbench.with("threads");

  @ParameterizedTest
  @CsvSource({
    "correct, ''",
    "late, is synchronised too late",
    "switch, is not synchronised",
  })
  void commitsShouldBeLostWhereAnotherThreadsSynchronisationIsTakenForTheirs(
      String variant, String mistake) {
    List<String> overrides =
        List.of("parameters.variant=" + variant, "occurrences=null", "occurrences.share=100");
    Outcome outcome = workbench.run(workbench.load(CAMPAIGN, overrides), CAMPAIGN);

    assertThat(outcome.report().findings())
        .filteredOn(one -> one.severity() == Severity.BUG)
        .extracting(one -> one.title().replaceAll("^the store at append at \\S+ |[,:] .*", ""))
        .containsExactly(mistake.isEmpty() ? new String[0] : new String[] {mistake});
  }
}
