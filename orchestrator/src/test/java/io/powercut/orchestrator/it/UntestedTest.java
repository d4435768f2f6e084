// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.facts.Untested;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A clean result must not be mistaken for a tested program. */
@Tag("campaign")
class UntestedTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/untested.c");
  }

  private static Path campaign(String name, String more, String recovery) {
    return campaign(name, program, more, recovery);
  }

  private static Path campaign(String name, Path program, String more, String recovery) {
    return workbench.write(
        name + ".yaml",
        """
        name: %s
        pm: {directory: "%s", limit: 4MiB}
        target: {command: ["%s", "{pm}"%s], timeout: 20s}
        failurePoints: {begin: put}
        recovery: {command: ["%s"], timeout: 10s}
        """
            .formatted(name, workbench.pm(), program, more, recovery));
  }

  private static Workbench.Said run(Path campaign) {
    return Workbench.powercut("run", campaign.toString(), "--runs", workbench.runs().toString());
  }

  @Test
  void functionsThatPersistButWereNotTestedShouldBeListedBesideACleanResult() {
    Workbench.Said said = run(campaign("clean", "", "true"));

    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
    assertThat(said.output())
        .contains(
            "untested        3 functions with persistency instructions not tested\n",
            "  never ran: compact, shrink\n",
            "  ran only outside failurePoints.begin and end: format\n");
    assertThat(Workbench.report(workbench.runs().resolve("clean/latest")).untested())
        .hasValueSatisfying(
            untested ->
                assertThat(untested.functions())
                    .extracting(Untested.Function::function)
                    .containsExactlyInAnyOrder("compact", "shrink", "format"));
  }

  /** binutils do not read that. */
  @Test
  void functionThatIsInlinedShouldHaveRunWhereDebugInformationIsInAFileOfItsOwn() {
    Path split =
        workbench.compile("programs/untested.c", "-split", List.of("-O1", "-gsplit-dwarf"));
    Workbench.Said said = run(campaign("split", split, "", "true"));

    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
    assertThat(said.output()).contains("  never ran: compact, shrink\n");
  }

  @Test
  void nothingShouldBeListedWhenAllOfItRan() {
    Workbench.Said said =
        Workbench.powercut(
            "run",
            campaign("whole", ", \"all\"", "true").toString(),
            "--set",
            "failurePoints.begin=main",
            "--runs",
            workbench.runs().toString());

    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
    assertThat(said.output()).doesNotContain("untested  ");
  }
}
