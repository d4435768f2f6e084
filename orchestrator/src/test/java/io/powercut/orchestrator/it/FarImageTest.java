// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.findings.Finding;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A broken image, when the next consistent one that was judged is far behind it in the trace. */
@Tag("campaign")
class FarImageTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  @Test
  void firstStoreThatItLacksShouldBeNamed() throws Exception {
    Path program = workbench.compile("programs/far.c", "", List.of("-O1"));
    Path campaign =
        workbench.write(
            "far.yaml",
            """
            name: far
            parameters: {unused: "0"}
            target: {command: ["%1$s", run, "{pm}"]}
            recovery: {command: ["%1$s", check, "{pm}"]}
            patterns: {enabled: false}
            crashStates: {enabled: false}
            """
                .formatted(program));
    CampaignRuns runs =
        new CampaignRuns(
            workbench,
            campaign,
            "far",
            "parameters.unused",
            List.of("occurrences=null", "occurrences.first=1", "occurrences.last=1"));

    List<Finding> findings = runs.report("0").findings();

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).title())
        .contains(
            "lacks at least 16 stores that come later, the first is the store to lines[k].value");
  }
}
