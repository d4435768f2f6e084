// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code powercut races} on a program whose reader copies what the writer has not persisted. */
@Tag("campaign")
class RacesTest {
  private static final String CAMPAIGN =
      """
      parameters: {variant: bug}
      setup: {command: [%1$s, create, "{pm}"]}
      target: {command: [%1$s, run, "{pm}", "{variant}"]}
      recovery: {command: [%1$s, check, "{pm}"]}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path campaign;

  @BeforeAll
  static void build() {
    campaign =
        workbench.write(
            "handover.yaml", CAMPAIGN.formatted(workbench.compile("programs/handover.c")));
  }

  private static Said races(String variant, String... more) {
    String[] arguments = new String[4 + more.length];
    System.arraycopy(
        new String[] {"races", campaign.toString(), "--set", "parameters.variant=" + variant},
        0,
        arguments,
        0,
        4);
    System.arraycopy(more, 0, arguments, 4, more.length);
    return Workbench.powercut(arguments);
  }

  @Test
  void shouldReportWhatIsPersistedBehindItsLock() {
    Said said = races("bug");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .contains("copy_slots at ", "loads what write_slots at ", "handover.c:")
        .contains(
            "stored:      write_slots at ", "which holds mutex 0x", "persisted:   write_slots")
        .contains("8 bytes at 0x0 of pool");
    assertThat(said.output().lines().filter(line -> line.contains("loads what"))).hasSize(1);
  }

  @Test
  void shouldReportNothingWhereTheLockIsHeldUntilThePersist() {
    Said said = races("fixed", "--fail-on", "lockset");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).isEqualTo("races  0 consequence, 0 observed, 0 region, 0 lockset\n");
  }

  /** In the recorded order, each node was persisted before the other thread came to it. */
  @Test
  void whatIsHandedOverShouldBeLookedForInAnOrderWithPauses() {
    Path nodes =
        workbench.write(
            "fresh-node.yaml",
            """
            target: {command: [%s, run, "{pm}", bug]}
            recovery: {command: ["false"]}
            """
                .formatted(workbench.compile("programs/fresh-node.c")));

    Said said = Workbench.powercut("races", nodes.toString(), "--fail-on", "observed");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.errors()).contains("threads hand over what they stored");
    assertThat(said.output()).contains("loads what make_nodes at ", "found in 1 of 2 runs");
  }

  @Test
  void shouldFailOnTheEvidenceThatIsAskedFor() {
    assertThat(races("bug", "--fail-on", "lockset").exitCode()).isEqualTo(1);
  }

  @Test
  void otherOrdersOfThreadsShouldShowMore() {
    Said said = races("bug", "--set", "races.runs=6", "--set", "schedule.seed=1");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).containsPattern("races  1 consequence, 0 observed, 0 region");
    assertThat(said.output()).containsPattern("found in [2-6] of 6 runs");
  }

  @Test
  void failureInAnotherOrderShouldBeReportedWithWhatRepeatsIt() {
    Said said = races("fragile", "--set", "races.runs=4", "--set", "schedule.seed=1");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .startsWith("races  0 consequence, 0 observed, 0 region, 0 lockset\n")
        .containsPattern("FAILED +without a crash, in 3 other orders of threads\n.*SIGABRT");
    String repeats = "  repeat it with ";
    String options =
        said.output()
            .lines()
            .filter(line -> line.startsWith(repeats))
            .findFirst()
            .orElseThrow()
            .substring(repeats.length());
    assertThat(options)
        .matches("--set schedule.policy=delay --set schedule.seed=2 --set races.runs=1");
    Said again = races("fragile", options.split(" "));
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(again.errors()).contains("without any crash, the target failed", "SIGABRT");
  }

  @Test
  void failureInTheCampaignsOwnOrderShouldEndTheSearch() {
    Said said =
        races("fragile", "--set", "races.runs=4", "--set", "schedule={policy: delay, seed: 2}");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("without any crash, the target failed", "SIGABRT");
  }

  @Test
  void shouldStopOnceSoManyOrdersHaveShownNothingNew() {
    Said said = races("fixed", "--set", "races.runs=50", "--set", "races.untilQuiet=2");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).startsWith("races  0 consequence, 0 observed, 0 region, 0 lockset");
  }
}
