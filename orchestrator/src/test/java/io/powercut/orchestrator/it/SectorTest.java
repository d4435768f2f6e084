// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Findings that need a cut inside a sector of a disk. */
@Tag("campaign")
class SectorTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/sectors.c");
  }

  private static Workbench.Said run(String way) {
    return workbench.runCampaign(
        workbench.write(
            "sectors.yaml",
            """
            name: sectors
            setup: {command: [%1$s, create, "{pm}"], timeout: 10s}
            target: {command: [%1$s, run, "{pm}", %2$s], timeout: 60s}
            recovery: {command: [%1$s, check, "{pm}"], timeout: 10s}
            """
                .formatted(program, way)),
        "--set",
        "occurrences.first=2",
        "--set",
        "limits.parallel=1");
  }

  private static List<Finding> bugs() {
    Report report = Workbench.report(workbench.runs().resolve("sectors/latest"));
    return report.findings().stream().filter(one -> one.injection().isPresent()).toList();
  }

  @ParameterizedTest
  @CsvSource({"near,true", "far,false", "flushed,false", "again,false"})
  void aCutInsideASectorShouldBeMarkedWhereMsyncPersists(String way, boolean daxOnly) {
    Workbench.Said said = run(way);

    assertThat(said.exitCode()).as(said.errors() + said.output()).isEqualTo(1);
    assertThat(bugs()).hasSize(1);
    assertThat(bugs().get(0).daxOnly()).isEqualTo(daxOnly);
    assertThat(said.output().contains("possible on DAX only: a disk writes these 512 bytes"))
        .isEqualTo(daxOnly);
  }

  @Test
  void theStateItselfShouldSayWhetherADiskCouldLeaveIt() {
    run("again");

    assertThat(bugs().get(0).evidence())
        .extracting(
            evidence ->
                evidence instanceof InjectionEvidence crash
                    && crash.state().map(JudgedState::daxOnly).orElse(false))
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void aRecordThatIsPersistedFirstShouldBeClean() {
    Workbench.Said said = run("ordered");

    assertThat(said.exitCode()).as(said.errors() + said.output()).isZero();
    assertThat(bugs()).isEmpty();
  }
}
