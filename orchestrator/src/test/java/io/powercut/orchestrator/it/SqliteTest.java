// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SQLite, called by a script, keeps the promises that its documentation makes of its settings. */
@Tag("campaign")
class SqliteTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Report run(String synchronous) {
    Path file = Workbench.home().resolve("configs/sqlite.yaml");
    Campaign campaign =
        workbench.load(
            file, List.of("parameters.synchronous=" + synchronous, "parameters.transfers=2"));
    return workbench.run(campaign, file).report();
  }

  @Test
  void extraShouldSynchroniseTheDirectoryOfTheJournal() {
    Report report = run("extra");
    assertThat(report.findings()).isEmpty();
    assertThat(report.outcome().complete()).isTrue();
  }

  @Test
  void fullShouldNotSynchroniseTheDirectoryOfTheJournal() {
    assertThat(run("full").findings())
        .singleElement()
        .extracting(Finding::title)
        .asString()
        .startsWith("the unlink of accounts-journal at ")
        .contains(" is acknowledged before its directory is synchronised");
  }
}
