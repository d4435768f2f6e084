// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.report.format.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which forgotten flushes and fences campaigns notice, on programs of which that is known. */
@Tag("campaign")
class StrengthCommandTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  private static Path ledger;

  @BeforeAll
  static void build() {
    ledger = workbench.compile("programs/accounts.c");
  }

  private static Workbench.Said strength(Path campaign, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("strength", campaign.toString(), "--set", "pm.directory=" + workbench.pm()));
    if (!List.of(more).contains("--runs")) {
      arguments.addAll(List.of("--runs", workbench.runs().toString()));
    }
    arguments.addAll(List.of(more));
    return Workbench.powercut(arguments.toArray(String[]::new));
  }

  private static Workbench.Said ofSuite(String program, String variant, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--set",
                "build=null",
                "--set",
                "parameters.program=" + program,
                "--set",
                "parameters.variant=" + variant));
    all.addAll(List.of(more));
    return strength(Workbench.home().resolve("configs/bugs/bug.yaml"), all.toArray(String[]::new));
  }

  /** A campaign on savings and loans. */
  private static Path ledgerCampaign(String recovery) {
    return workbench.write(
        "ledger.yaml",
        """
        name: ledger
        pm: {directory: "%1$s", limit: 4MiB}
        setup: {command: ["%2$s", create, "{pm}"], timeout: 10s}
        target: {command: ["%2$s", run, "{pm}"], timeout: 20s}
        recovery: {command: ["%2$s", %3$s, "{pm}"], timeout: 10s}
        occurrences: {first: 3}
        """
            .formatted(workbench.pm(), ledger, recovery));
  }

  private static StrengthResult result(String campaign) {
    try {
      return Json.parse(
          Files.readString(workbench.runs().resolve(campaign).resolve("strength.json")),
          StrengthResult.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@code instruction in function: outcome}. */
  private static List<String> outcomes(StrengthResult result) {
    return result.bugs().stream()
        .map(bug -> bug.instruction() + " in " + bug.function() + ": " + bug.outcome())
        .toList();
  }

  @Test
  void everyMissingFlushAndFenceShouldBeCaughtWhereEachIsNeeded() {
    Workbench.Said said = ofSuite("redo-before-commit", "correct", "--set", "occurrences.first=3");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(outcomes(result("bug")))
        .containsExactly(
            "clwb in transfer: KILLED",
            "sfence in transfer: KILLED",
            "clwb in mark: KILLED",
            "sfence in mark: KILLED",
            "clwb in apply: KILLED",
            "sfence in apply: KILLED",
            "clwb in mark: KILLED",
            "sfence in mark: KILLED");
    assertThat(said.output()).doesNotContain("SURVIVED").contains("100 %");
  }

  @Test
  void catchShouldTellWhereThePowerWasCutAndWhatRecoverySaid() {
    ofSuite("redo-before-commit", "correct", "--function", "transfer", "--limit", "1");

    Mutant bug = result("bug").bugs().get(0);
    Mutant.Catch killed = bug.killed().orElseThrow();
    assertThat(bug.stack().get(0).function()).isEqualTo("pm_persist");
    assertThat(bug.stack().get(1).function()).isEqualTo("transfer");
    assertThat(bug.executed()).isEqualTo(8);
    assertThat(bug.needed()).isEqualTo(8);
    assertThat(killed.verdict()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(killed.output()).contains("the cells do not add up");
    assertThat(killed.instruction()).isEqualTo("clwb");
    assertThat(killed.stack().get(1).function()).isEqualTo("mark");
    assertThat(killed.lostLines()).isEqualTo(1);
  }

  /** A lost head is an older list, and recovery cannot know better. */
  @Test
  void lossThatIsAnOlderStateShouldBeNoticedByNobody() {
    Workbench.Said said = ofSuite("list-publish", "correct", "--set", "occurrences.first=3");

    assertThat(outcomes(result("bug")))
        .containsExactly(
            "clwb in fill: KILLED",
            "sfence in fill: KILLED",
            "clwb in set_head: SURVIVED",
            "sfence in set_head: SURVIVED");
    assertThat(said.output())
        .contains("SURVIVED  without clwb in set_head, executed 8 times, 8 of these needed")
        .contains("set_head at ")
        .containsPattern("fill +2 +2 +100 %");
  }

  @Test
  void whatMattersAtLaterVisitsOnlyShouldBeNeverTested() {
    Workbench.Said said = ofSuite("list-publish", "correct");

    assertThat(outcomes(result("bug")))
        .containsExactly(
            "clwb in fill: KILLED",
            "sfence in fill: KILLED",
            "clwb in set_head: NO_COVERAGE",
            "sfence in set_head: NO_COVERAGE");
    assertThat(said.output()).contains("NO COVERAGE  without sfence in set_head");
  }

  @Test
  void fieldThatRecoveryDoesNotReadShouldBeToldAndNoOther() {
    strength(ledgerCampaign("check"));
    assertThat(result("ledger").all()).isEqualTo(new FunctionScore("all", 8, 0, 0, 0));

    strength(ledgerCampaign("blind"));

    assertThat(outcomes(result("ledger")))
        .containsExactly(
            "clwb in save: KILLED",
            "sfence in save: KILLED",
            "clwb in save: KILLED",
            "sfence in save: KILLED",
            "clwb in lend: UNREAD",
            "sfence in lend: UNREAD",
            "clwb in lend: UNREAD",
            "sfence in lend: UNREAD",
            "clwb in close_books: EQUIVALENT",
            "sfence in close_books: EQUIVALENT");
    assertThat(result("ledger").functions())
        .containsExactly(
            new FunctionScore("lend", 0, 0, 0, 4), new FunctionScore("save", 4, 0, 0, 0));
    assertThat(page("ledger"))
        .contains("<h1>ledger: 50 % of the mutants are killed</h1>")
        .contains(row("lend", "<td>4</td><td>0</td><td>0 %</td><td>0</td><td>4</td><td>0</td>"))
        .contains(row("save", "<td>4</td><td>4</td><td>100 %</td><td>0</td><td>0</td><td>0</td>"))
        .contains("without <code>clwb</code> in <code>lend</code>")
        .doesNotContain("in <code>save</code>");
  }

  private static String row(String function, String cells) {
    return "<tr><th scope=\"row\"><code>" + function + "</code></th>" + cells + "</tr>";
  }

  private static String page(String campaign) {
    try {
      return Files.readString(workbench.runs().resolve(campaign).resolve("strength.html"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyMissingSyncShouldBeCaughtWhereEachIsNeeded() {
    for (String call : List.of("msync", "fsync", "fdatasync")) {
      Workbench.Said said =
          strength(ledgerCampaign("check"), "--set", "environment.PERSIST=" + call);

      assertThat(said.exitCode()).as(said.errors()).isZero();
      assertThat(outcomes(result("ledger")))
          .as(call)
          .containsExactly(
              call + " in save: KILLED",
              call + " in save: KILLED",
              call + " in lend: KILLED",
              call + " in lend: KILLED",
              call + " in close_books: EQUIVALENT");
      assertThat(said.output()).contains("missing flushes, fences and syncs").contains("100 %");
    }
  }

  @Test
  void missingSyncOfWhatRecoveryDoesNotReadShouldBeTold() {
    Workbench.Said said = strength(ledgerCampaign("blind"), "--set", "environment.PERSIST=msync");

    assertThat(result("ledger").functions())
        .containsExactly(
            new FunctionScore("lend", 0, 0, 0, 2), new FunctionScore("save", 2, 0, 0, 0));
    assertThat(said.output()).contains("UNREAD  without msync in lend");
  }

  @Test
  void fenceThatHasNothingToDoShouldNotBePlanted() {
    Workbench.Said said = strength(ledgerCampaign("check"), "--states", "4");

    assertThat(result("ledger").redundant())
        .singleElement()
        .satisfies(
            redundant -> {
              assertThat(redundant.instruction()).isEqualTo("sfence");
              assertThat(redundant.function()).isEqualTo("close_books");
              assertThat(redundant.executed()).isEqualTo(1);
            });
    assertThat(said.output())
        .contains("1 that never had anything to do, 2 that make no difference");
  }

  @Test
  void brokenStatesOfTheProgramAsItIsShouldNotCountAsCaught() {
    ofSuite("flag-before-data", "bug", "--set", "occurrences.first=3", "--function", "publish");

    // The flag comes before the data: losing the flag cannot harm more.
    assertThat(outcomes(result("bug")))
        .containsExactly("clwb in publish: SURVIVED", "sfence in publish: SURVIVED");
    assertThat(result("bug").bugs().get(0).spoilt()).isPositive();
  }

  @Test
  void excludedFunctionsShouldBeLeftAlone() {
    strength(ledgerCampaign("check"), "--set", "failurePoints.exclude=[lend]");

    assertThat(outcomes(result("ledger"))).hasSize(6).noneMatch(one -> one.contains("lend"));
    assertThat(result("ledger").excluded()).isEqualTo(4);
  }

  @Test
  void timeThatIsNotEnoughShouldMakeItIncomplete() {
    Workbench.Said said = strength(ledgerCampaign("check"), "--time", "1ms");

    assertThat(said.exitCode()).isEqualTo(4);
    assertThat(said.output()).contains("NOT JUDGED", "there was no time left");
  }

  @Test
  void unknownFunctionShouldBeRefusedWithTheKnownOnes() {
    Workbench.Said said = strength(ledgerCampaign("check"), "--function", "steal");

    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.errors()).contains("'steal'", "close_books, lend, save");
  }

  @Test
  void recoveryThatRefusesTheStateWithoutACrashShouldNotBeTrusted() {
    Workbench.Said said =
        strength(
            ledgerCampaign("check"),
            "--set",
            "name=refused",
            "--set",
            "recovery.command=[\"false\"]");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("failed its control");
    assertThat(workbench.runs().resolve("refused")).doesNotExist();
  }

  @Test
  void folderThatCannotBeMadeShouldBeReportedBeforeAnythingRuns() {
    Path file = workbench.write("no-folder", "");
    Workbench.Said said = strength(ledgerCampaign("check"), "--runs", file.toString());

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("no-folder is not a directory. Choose another with --runs DIR.")
        .doesNotContain("setting up");
  }
}
