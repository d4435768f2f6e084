// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is there after recovery must be what was there at an acknowledgement around the power cut.
 */
@Tag("campaign")
class DumpTest {
  private static final String CAMPAIGN =
      """
      parameters: {habit: correct, repair: correct}
      target: {command: [%1$s, run, "{habit}", "{pm}"]}
      recovery: {command: [%1$s, recover, "{repair}", "{pm}"]}
      dump: {command: [%1$s, dump, "{pm}"]}
      patterns: {enabled: false}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path campaign;

  @BeforeAll
  static void build() {
    campaign =
        workbench.write("notes.yaml", CAMPAIGN.formatted(workbench.compile("programs/notes.c")));
  }

  private static Report run(String... overrides) {
    Campaign loaded = workbench.load(campaign, List.of(overrides));
    return workbench.run(loaded, campaign).report();
  }

  private static Path directory(String name) {
    return workbench.runs().resolve(name + "/latest");
  }

  private static List<InjectionEvidence> bugs(Report report) {
    return report.findings().stream().flatMap(one -> one.injection().stream()).toList();
  }

  private static Path evidence(String name, InjectionEvidence bug) {
    return directory(name).resolve(bug.image().orElseThrow()).resolveSibling("evidence/dump");
  }

  @Test
  void shouldFindARecoveryThatDropsWhatWasAcknowledged() {
    // In front of the first change nothing was acknowledged yet.
    Report report = run("name=drops", "parameters.repair=drops", "occurrences.first=2");

    assertThat(bugs(report))
        .isNotEmpty()
        .allSatisfy(
            bug -> {
              assertThat(bug.verdict()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
              assertThat(bug.step()).isEqualTo("dump");
              assertThat(bug.occurrence()).isEqualTo(2);
              assertThat(bug.seen())
                  .contains(
                      "neither those after it acknowledged 1 line nor those after it acknowledged 2")
                  .contains("to the nearer ones, those after it acknowledged 1 line")
                  .contains("lines missing: 1, lines too many: 1");
              assertThat(bug.output())
                  .isEqualTo(
                      """
                      --- after it acknowledged 1 line
                      +++ after recovery
                      @@ -1,4 +1,4 @@
                      -0: 1 100
                      +0: 0 0
                       1: 0 0
                       2: 0 0
                       3: 0 0
                      """);
            });
    InjectionEvidence bug = bugs(report).get(0);
    assertThat(evidence("drops", bug).resolve("before"))
        .hasContent("0: 1 100\n1: 0 0\n2: 0 0\n3: 0 0\n");
    assertThat(evidence("drops", bug).resolve("after"))
        .hasContent("0: 1 100\n1: 2 200\n2: 0 0\n3: 0 0\n");
    assertThat(evidence("drops", bug).resolve("recovered"))
        .hasContent("0: 0 0\n1: 0 0\n2: 0 0\n3: 0 0\n");
    assertThat(evidence("drops", bug).resolve("difference")).hasContent(bug.output());
  }

  @Test
  void shouldFindARecoveryThatKeepsHalfOfAnOperation() {
    Report report = run("name=halves", "parameters.repair=halves");

    assertThat(bugs(report))
        .isNotEmpty()
        .allSatisfy(
            bug -> {
              assertThat(bug.seen()).contains("those after set-up");
              assertThat(bug.output()).contains("-0: 0 0\n+0: 0 100\n");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"drops", "halves", "mute"})
  void shouldNotFindItWithoutADump(String repair) {
    assertThat(
            run("name=blind", "dump=null", "parameters.repair=" + repair, "occurrences.first=2")
                .findings())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "3, 2"})
  void shouldFindTheCorrectProgramClean(int first, int last) {
    Report report =
        run(
            "name=correct",
            "crashStates.exhaustive=8",
            "crashStates.perFailurePoint=1000",
            "occurrences.first=" + first,
            "occurrences.last=" + last);

    assertThat(report.findings()).isEmpty();
    Workbench.requireComplete(report);
    assertThat(report.states().orElseThrow().judged()).isPositive();
  }

  @Test
  void shouldCompareStatesBeyondProgramOrder() {
    List<InjectionEvidence> bugs =
        bugs(
            run(
                "name=unflushed",
                "parameters.habit=unflushed",
                "occurrences.first=0", // the first has nothing acknowledged to compare with
                "occurrences.last=1"));

    assertThat(bugs).isNotEmpty();
    InjectionEvidence bug = bugs.get(0);
    assertThat(bug.state()).isPresent();
    assertThat(bug.output()).contains("--- after it acknowledged");
    assertThat(evidence("unflushed", bug).resolve("before")).isRegularFile();
    assertThat(bugs(run("name=unflushed-blind", "parameters.habit=unflushed", "dump=null")))
        .isEmpty();

    Workbench.Said said =
        Workbench.powercut(
            "replay",
            directory("unflushed").toString(),
            bug.failurePointId().toString(),
            "--state",
            bug.state().orElseThrow().id());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("after recovery the contents are neither");
  }

  /** What was there before the lost store was right then, and is not any more. */
  @Test
  void whatIsLostBehindItsAcknowledgementShouldHaveAdvice() {
    List<InjectionEvidence> bugs = bugs(run("name=single", "parameters.habit=single"));

    assertThat(bugs)
        .extracting(bug -> bug.state().orElseThrow().advice().orElse("none"))
        .containsExactly("add a flush of its line and a fence after the store");
  }

  @Test
  void dumpThatFailsShouldBeAFinding() {
    List<InjectionEvidence> bugs = bugs(run("name=mute", "parameters.repair=mute"));

    assertThat(bugs).isNotEmpty();
    assertThat(bugs.get(0).step()).isEqualTo("dump");
    assertThat(bugs.get(0).seen()).contains("exited with code 1");
  }

  @Test
  void replayShouldCompareWithWhatTheRunHasKept() {
    run("name=replayed", "parameters.repair=halves");

    Workbench.Said said = Workbench.powercut("replay", directory("replayed").toString());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("after recovery the contents are neither those before the operation in progress")
        .contains("recovery said: +0: 0 100");
  }

  @Test
  void replayOfAnotherOccurrenceShouldSayThatNothingIsCompared() {
    run("name=elsewhere", "parameters.repair=halves");

    Workbench.Said said =
        Workbench.powercut("replay", directory("elsewhere").toString(), "--occurrence", "2");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.errors() + said.output()).contains("its contents are not compared");
  }

  @Test
  void dumpThatIsNotTheSameTwiceShouldNotBeTrusted() {
    assertThatThrownBy(() -> run("name=fickle", "dump.command=[sh, -c, echo $$]"))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("the dump of the state after set-up differs between two runs")
        .hasMessageContaining("addresses");
  }

  @Test
  void dumpThatIsLongerThanWhatIsKeptShouldBeInconclusive() {
    assertThatThrownBy(() -> run("name=long", "dump.command=[seq, \"5000\"]", "limits.output=4KiB"))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("raise limits.output");
  }

  @Test
  void imagesThatWaitWhenTheBudgetEndsShouldBeJudgedAndTheRestBeLeft() throws IOException {
    Workbench.Said first =
        workbench.runCampaign(campaign, "--set", "name=parts", "--set", "limits.images=2");
    assertThat(first.exitCode()).as(first.errors()).isEqualTo(4);
    assertThat(Workbench.judgements(directory("parts"))).hasSize(2);
    assertThat(Workbench.report(directory("parts")).outcome().complete()).isFalse();

    Workbench.Said next = first;
    for (int part = 0; next.exitCode() == 4 && part < 20; part++) {
      next =
          workbench.runCampaign(
              campaign, "--set", "name=parts", "--set", "limits.images=2", "--resume");
    }

    assertThat(next.exitCode()).as(next.errors()).isZero();
    Workbench.requireComplete(Workbench.report(directory("parts")));
  }
}
