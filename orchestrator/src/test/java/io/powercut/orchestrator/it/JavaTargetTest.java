// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.report.findings.Report;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A target that Java runs, and compiles while it runs. */
@Tag("campaign")
class JavaTargetTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void write() throws URISyntaxException {
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    Path classes =
        Path.of(MappedNumbers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String command =
        "\"%s\", \"-XX:+UseSerialGC\", \"-cp\", \"%s\", \"%s\""
            .formatted(java, classes, MappedNumbers.class.getName());
    Path campaign =
        workbench.write(
            "numbers.yaml",
            """
            name: numbers
            parameters: {habit: correct}
            target: {command: [%1$s, "{habit}", "{pm}"]}
            recovery: {command: [%1$s, check, "{pm}"]}
            patterns: {enabled: false}
            occurrences: {last: 1, share: 0}
            """
                .formatted(command));
    runs = new CampaignRuns(workbench, campaign, "numbers", "parameters.habit", List.of());
  }

  @Test
  void correctTargetShouldHaveNoBug() throws Exception {
    Report report = runs.report("correct");

    assertThat(report.findings()).isEmpty();
    assertThat(report.verdicts().get(Verdict.Kind.CONSISTENT.name())).isPositive();
    Workbench.requireComplete(report);
  }

  @Test
  void forgottenForceShouldBeOneFinding() throws Exception {
    Report report = runs.report("forgetful");

    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().get(0).title()).contains("is not synchronised");
    assertThat(report.findings().get(0).injection().orElseThrow().output())
        .contains("a number differs from its complement");
  }
}
