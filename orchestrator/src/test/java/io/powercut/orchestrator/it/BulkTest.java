// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.ValueSource;

/** Targets with millions of bytes in flight at one failure point. */
@Tag("campaign")
class BulkTest {
  private static final int MEGABYTES = 8;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/bulk.c");
  }

  private static Workbench.Said run(String way) {
    return workbench.runCampaign(campaign(way, MEGABYTES));
  }

  private static Path campaign(String way, int megabytes) {
    return workbench.write(
        "bulk.yaml",
        """
        name: bulk
        pm: {limit: 256MiB}
        setup: {command: [%1$s, create, "{pm}", "%2$s"], timeout: 10s}
        target: {command: [%1$s, run, "{pm}", %3$s], timeout: 60s}
        recovery: {command: [%1$s, check, "{pm}"], timeout: 10s}
        """
            .formatted(program, megabytes, way));
  }

  private static Report report() {
    return Workbench.report(workbench.runs().resolve("bulk/latest"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"memset", "memcpy", "write"})
  void manyMegabytesOfOneCallShouldBeJudgedAndFoundConsistent(String way) {
    Workbench.Said said = run(way);

    assertThat(said.exitCode()).as(said.errors() + said.output()).isZero();
    assertThat(report().states().orElseThrow().judged()).isPositive();
    assertThat(report().states().orElseThrow().left().values())
        .as("one for each line, at least")
        .anyMatch(left -> left > (MEGABYTES << 20) / 128);
  }

  @Test
  void dirtyLinesThatNobodyFlushesShouldNotSlowTheRunDown() {
    Workbench.Said said =
        workbench.runCampaign(campaign("server", MEGABYTES), "--set", "occurrences.first=40");

    assertThat(said.exitCode()).as(said.errors() + said.output()).isZero();
    assertThat(report().states().orElseThrow().judged()).isGreaterThan(40);
  }

  @Test
  void oneLineOutOfVeryManyShouldBeFound() {
    Workbench.Said said = run("bad-line");

    assertThat(said.exitCode()).as(said.errors() + said.output()).isEqualTo(1);
    assertThat(bugs()).hasSize(1);
    JudgedState state = bugs().get(0).injection().orElseThrow().state().orElseThrow();
    assertThat(state.lines())
        .extracting(JudgedState.Line::offset)
        .containsExactly(4096L + (MEGABYTES << 19));
    assertThat(state.lost().get(0).role()).isEqualTo(JudgedState.Role.CAUSE);
  }

  @Test
  void allOfVeryManyLinesShouldBeOneFinding() {
    Workbench.Said said = workbench.runCampaign(campaign("bad-memset", 2));

    assertThat(said.exitCode()).as(said.errors() + said.output()).isEqualTo(1);
    assertThat(bugs()).hasSize(1);
  }

  /** A million lines at random addresses, of which each is an object on the heap at least. */
  @Test
  void whatWasJudgedShouldBeReportedWhenMemoryRunsOut() {
    Process small = workbench.startCampaign(48, campaign("random", 64));

    Workbench.Said said = workbench.said(small);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(3);
    assertThat(said.errors())
        .contains("Powercut ran out of memory: its heap of")
        .doesNotContain("\tat ", "OutOfMemoryError");
    Path run = workbench.runs().resolve("bulk/latest");
    assertThat(run.resolve("failure.txt")).content().contains("Powercut ran out of memory");
    Report.Outcome outcome = report().outcome();
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.complete()).isFalse();
    assertThat(outcome.meaning()).contains("Powercut ran out of memory");
  }

  private static List<Finding> bugs() {
    return report().findings().stream().filter(one -> one.injection().isPresent()).toList();
  }
}
