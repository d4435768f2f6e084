// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.tree.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Races in {@code powercut run}: a crash is tried where the reader has acted on what it read. */
@Tag("campaign")
class RaceConfirmationTest {
  private static final String CAMPAIGN =
      """
      parameters: {variant: bug}
      target: {command: [%1$s, run, "{pm}", "{variant}"]}
      recovery: {command: [%1$s, check, "{pm}", "{variant}"]}
      """;

  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path campaign;
  private static Path handover;
  private static Path resizing;
  private static Path early;

  @BeforeAll
  static void build() {
    campaign =
        workbench.write("ahead.yaml", CAMPAIGN.formatted(workbench.compile("programs/ahead.c")));
    handover =
        workbench.write(
            "handover.yaml", CAMPAIGN.formatted(workbench.compile("programs/handover.c")));
    early =
        workbench.write(
            "early.yaml",
            "setup: {command: [%1$s, create, \"{pm}\"]}\n"
                .concat(CAMPAIGN)
                .formatted(workbench.compile("programs/early.c")));
    resizing =
        workbench.write(
            "resizing.yaml",
            "setup: {command: [%1$s, create, \"{pm}\"]}\n"
                .concat(CAMPAIGN)
                .formatted(workbench.compile("programs/resizing.c")));
  }

  private static Said run(String variant, String... more) {
    String[] all = new String[2 + more.length];
    all[0] = "--set";
    all[1] = "parameters.variant=" + variant;
    System.arraycopy(more, 0, all, 2, more.length);
    return workbench.runCampaign(campaign, all);
  }

  private static Path run(Said said) {
    String line =
        said.output().lines().filter(one -> one.startsWith("report ")).findFirst().orElseThrow();
    return Path.of(line.substring("report".length()).strip()).resolveSibling(".");
  }

  private static Report report(Said said) {
    return Workbench.report(run(said));
  }

  @Test
  void raceShouldBePartOfTheBugThatACrashProvesAndItsCommandShouldShowItAgain() {
    Said said = run("bug");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Report report = report(said);
    assertThat(report.findings()).filteredOn(one -> one.severity() == Severity.RACE).isEmpty();
    Finding bug =
        report.findings().stream()
            .filter(one -> one.severity() == Severity.BUG)
            .findFirst()
            .orElseThrow();
    PersistencyRace race = bug.races().get(0);
    assertThat(race.level()).isEqualTo(PersistencyRace.Level.CONSEQUENCE);
    assertThat(race.tried()).isPresent();
    assertThat(report.races().orElseThrow())
        .isEqualTo(
            new Report.Races(
                Map.of("consequence", 1L), 1, 1, true, List.of(), Map.of(), List.of(), false));
    assertThat(said.output()).contains("a crash was tried of 1 and confirmed 1");

    List<String> replay = List.of(bug.injection().orElseThrow().replay().split(" "));
    Said again = Workbench.powercut(replay.subList(1, replay.size()).toArray(String[]::new));

    assertThat(again.exitCode()).as(again.errors()).isEqualTo(1);
    assertThat(again.output()).contains("write_slot at ");
  }

  @Test
  void harmThatComesWithWhatTheReaderDoesNextShouldConfirmTheRace() {
    Said said = run("counted");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("a crash was tried of 1 and confirmed 1");
    Finding bug = report(said).findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.races().get(0).tries()).hasSizeGreaterThan(1);
  }

  @Test
  void raceThatRecoveryRepairsShouldStayARaceAndSayThatItWasTried() {
    Said said = run("repaired");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .contains("RACE consequence race  copy_slot at ")
        .contains("a crash that loses the store was tried: recovery succeeds");
    Finding race = report(said).findings().get(0);
    assertThat(race.severity()).isEqualTo(Severity.RACE);
    assertThat(race.fails()).isFalse();
  }

  @Test
  void raceShouldFailTheRunWhereTheCampaignAsksForIt() {
    Said said = run("repaired", "--set", "failOn=[bug, observed]");

    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.output())
        .contains("no new bug; new findings of another kind that failOn selects: 1")
        .doesNotContain("new bugs were found");
  }

  @Test
  void twinShouldHaveNoRaceAndSayThatItWasSearched() {
    Said said = run("fixed");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    Report report = report(said);
    assertThat(report.races().orElseThrow().byEvidence()).isEmpty();
    assertThat(report.findings()).isEmpty();
  }

  @Test
  void campaignWithoutRacesShouldSaySo() {
    Report report = report(run("repaired", "--set", "races.enabled=false"));

    assertThat(report.races()).isEmpty();
    assertThat(report.findings()).extracting(Finding::severity).doesNotContain(Severity.RACE);
  }

  private static Said handOver(String variant, String... more) {
    String[] all = new String[2 + more.length];
    all[0] = "--set";
    all[1] = "parameters.variant=" + variant;
    System.arraycopy(more, 0, all, 2, more.length);
    return workbench.runCampaign(handover, all);
  }

  @Test
  void raceThatDidNotHappenShouldBeProvedByHoldingTheWriterAndItsCommandShouldShowItAgain() {
    Said said = handOver("bug");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Report report = report(said);
    Finding bug = report.findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    PersistencyRace race = bug.races().get(0);
    assertThat(race.level()).isEqualTo(PersistencyRace.Level.CONSEQUENCE);
    assertThat(race.held()).contains(new HeldOrder(2, 1, HeldOrder.TRIED));
    assertThat(race.tried().orElseThrow().order()).isEqualTo(1);
    assertThat(report.races().orElseThrow())
        .isEqualTo(
            new Report.Races(
                Map.of("consequence", 1L), 1, 1, true, List.of(), Map.of(), List.of(), false));
    List<String> replay = List.of(bug.injection().orElseThrow().replay().split(" "));
    assertThat(replay).containsSequence("--order", "1");

    for (String[] command :
        List.of(
            replay.subList(1, replay.size()).toArray(String[]::new),
            new String[] {"replay", replay.get(2), bug.fingerprint()})) {
      Said again = Workbench.powercut(command);
      assertThat(again.exitCode()).as(again.errors()).isEqualTo(1);
      assertThat(again.output()).contains("write_slots at ");
    }
  }

  /** Where a writer is held, no other part looks, wherever that leads to. */
  @Test
  void firstOfManyPartsShouldHoldTheWritersForAll() {
    Path part = run(handOver("bug", "--shard", "1/64"));
    Said merged =
        Workbench.powercut("merge", "--runs", workbench.runs().toString(), part.toString());

    Finding bug = report(merged).findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.races().get(0).held()).contains(new HeldOrder(2, 1, HeldOrder.TRIED));
  }

  @Test
  void interruptedHoldShouldLeaveNothingBehindAndBeTriedAgainWhenResumed() throws Exception {
    Process powercut = workbench.startCampaign(handover, "--set", "name=interrupted-hold");
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(5))
        .until(
            () ->
                !powercut.isAlive()
                    || Files.readString(workbench.directory().resolve("errors"))
                        .contains("holding the writers"));
    powercut.destroy();
    Said said = workbench.said(powercut);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output()).contains("races           1 lockset", "incomplete");
    assertThat(workbench.processesLeft()).isEmpty();
    assertThat(workbench.filesLeft()).isEmpty();

    Said resumed = workbench.runCampaign(handover, "--set", "name=interrupted-hold", "--resume");
    assertThat(resumed.exitCode()).as(resumed.errors()).isEqualTo(1);
    assertThat(resumed.output()).contains("a crash was tried of 1 and confirmed 1");
  }

  @Test
  void twinsShouldHaveNothingToHold() {
    for (String variant : List.of("fixed", "fragile")) {
      Said said = handOver(variant);

      assertThat(said.exitCode()).as(said.errors()).isZero();
      assertThat(report(said).findings()).isEmpty();
    }
  }

  @Test
  void raceThatALockOfTheProgramsOwnRulesOutShouldSayThatItCouldNotHappen() {
    Said said = handOver("spinning");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    Finding race = report(said).findings().get(0);
    assertThat(race.severity()).isEqualTo(Severity.RACE);
    assertThat(race.races().get(0).level()).isEqualTo(PersistencyRace.Level.REGION);
    assertThat(race.races().get(0).held())
        .contains(new HeldOrder(2, 1, HeldOrder.IMPOSSIBLE).ofStores(4));
    assertThat(said.output())
        .contains(
            "thread 2 was held behind its store 1 (one of 4 stores tried): it could not happen")
        .doesNotContain("--set races.runs");
  }

  @Test
  void readerThatWaitsForTheWriterInTheRecordedOrderShouldBePutOffUntilTheStore() {
    Said said = workbench.runCampaign(resizing);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Finding bug = report(said).findings().get(0);
    PersistencyRace race = bug.races().get(0);
    assertThat(race.held().orElseThrow().outcome()).isEqualTo(HeldOrder.TRIED);
    assertThat(replayed(bug)).isNotEmpty();
  }

  @Test
  void storeFromBeforeTheSecondThreadShouldBeHeldByTheThreadThatPersistsIt() {
    Said said = workbench.runCampaign(early);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.errors()).doesNotContain("cannot be followed");
    Finding bug = report(said).findings().get(0);
    assertThat(bug.races().get(0).held())
        .contains(new HeldOrder(1, 1, HeldOrder.TRIED, Optional.of(2), 1));
    assertThat(replayed(bug)).isNotEmpty();
  }

  @Test
  void raceThatDoesNoHarmAtItsFirstStoresShouldBeTriedAtOthers() {
    Said said =
        workbench.runCampaign(
            workbench.write(
                "third-slot.yaml", CAMPAIGN.formatted(workbench.compile("programs/third-slot.c"))));

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Finding bug = report(said).findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.races().get(0).held())
        .contains(new HeldOrder(2, 3, HeldOrder.TRIED).ofStores(3));
    assertThat(replayed(bug)).isNotEmpty();
  }

  /** The reader goes far behind the store, or needs what the writer gives back behind it. */
  @ParameterizedTest
  @ValueSource(strings = {"lazy-tail", "tried-lock"})
  void readerShouldComeToTheStoreOfAHeldWriterAndGoOn(String program) {
    Path campaign =
        workbench.write(
            program + ".yaml", CAMPAIGN.formatted(workbench.compile("programs/" + program + ".c")));
    Said said = workbench.runCampaign(campaign);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Finding bug = report(said).findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.races())
        .isNotEmpty()
        .extracting(PersistencyRace::held)
        .doesNotContain(Optional.empty());
    assertThat(said.output()).contains("confirmed 1").doesNotContain("holds of a writer");
    assertThat(replayed(bug)).isNotEmpty();
    Said fixed = workbench.runCampaign(campaign, "--set", "parameters.variant=fixed");
    assertThat(fixed.exitCode()).as(fixed.errors()).isZero();
  }

  /** In the recorded order, each node was persisted before the other thread came to it. */
  @Test
  void whatIsHandedOverBeforeItIsPersistedShouldBeFoundThoughItLooksLikeInitialisation() {
    Path nodes =
        workbench.write(
            "fresh-node.yaml", CAMPAIGN.formatted(workbench.compile("programs/fresh-node.c")));
    Said said = workbench.runCampaign(nodes);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.errors()).contains("threads hand over what they stored");
    Finding bug = report(said).findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.title()).contains("pool->nodes[i].value at make_nodes");
    assertThat(bug.races()).isNotEmpty();
    assertThat(replayed(bug)).contains("--order");

    Said fixed = workbench.runCampaign(nodes, "--set", "parameters.variant=fixed");
    assertThat(fixed.exitCode()).as(fixed.errors()).isZero();
    assertThat(fixed.errors()).contains("threads hand over what they stored");
    assertThat(report(fixed).findings()).isEmpty();
  }

  @Test
  void holdsThatWereNotTriedShouldBeSaid() {
    Said late = workbench.runCampaign(resizing, "--set", "races.holdTime=0s");

    assertThat(late.exitCode()).as(late.errors()).isZero();
    assertThat(late.output()).contains("not tried", "1 hold of a writer (races.holdTime)");
    assertThat(report(late).races().orElseThrow().left()).isEqualTo(Map.of("races.holdTime", 1L));
  }

  @Test
  void targetThatFailsWithItsWriterHeldShouldBeSaidAndLeaveNothing() {
    Said said = handOver("failing");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.errors())
        .contains(
            "with thread 2 held behind its store 1: without any crash, the target failed: it was");
    PersistencyRace race = report(said).findings().get(0).races().get(0);
    assertThat(race.level()).isEqualTo(PersistencyRace.Level.LOCKSET);
    assertThat(race.held()).contains(new HeldOrder(2, 1, HeldOrder.FAILED));
    Path run = run(said);
    assertThat(run.resolve("images"))
        .satisfiesAnyOf(
            images -> assertThat(images).doesNotExist(),
            images -> assertThat(images).isEmptyDirectory());
    assertThat(run.resolve("schedule/held-1")).doesNotExist();
  }

  /** The writer is done before the reader begins. */
  @Test
  void threadsThatRanOneAfterTheOtherShouldAlsoBeRunInAnotherOrder() {
    Said said = workbench.runCampaign(handover, "--set", "races.holds=0");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.errors()).contains("or one of them alone: looking for races in an order");
    assertThat(said.output())
        .contains("a crash was tried of 1 and confirmed 1")
        .doesNotContain("the threads used PM one after the other");
    List<String> replay =
        List.of(report(said).findings().get(0).injection().orElseThrow().replay().split(" "));
    assertThat(replay).containsSequence("--order", "1");
    Said again = Workbench.powercut(replay.subList(1, replay.size()).toArray(String[]::new));
    assertThat(again.exitCode()).as(again.errors()).isEqualTo(1);
  }

  /**
   * In the recorded order one thread was done before the other began; in the other it may happen.
   */
  @Test
  void raceThatOnlyAnotherOrderShowsShouldBeProvedByHoldingTheWriterInThatOrder() {
    Path nodes =
        workbench.write(
            "coupled.yaml", CAMPAIGN.formatted(workbench.compile("programs/coupled.c")));
    Said said = workbench.runCampaign(nodes);

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.errors()).contains("or one of them alone: looking for races in an order");
    assertThat(report(said).findings()).hasSize(1);
    Finding bug = report(said).findings().get(0);
    assertThat(bug.severity()).isEqualTo(Severity.BUG);
    assertThat(bug.title()).contains("persist it before mutex 0x");
    assertThat(bug.races().get(0).held().orElseThrow().outcome()).isEqualTo(HeldOrder.TRIED);
    assertThat(replayed(bug)).contains("--order");

    Said unheld = workbench.runCampaign(nodes, "--set", "races.holdTime=0s");
    assertThat(unheld.exitCode()).as(unheld.errors()).isZero();
    assertThat(unheld.output()).contains("1 hold of a writer (races.holdTime)");
  }

  @Test
  void threadsThatCanOnlyRunOneAfterTheOtherShouldBeSaid() {
    assertThat(handOver("spinning").output())
        .contains("or one of them alone, so what one stored looks like");
    assertThat(handOver("fixed").output())
        .contains("none between the threads that use PM")
        .doesNotContain("the threads used PM one after the other");
  }

  @Test
  void raceOfAnotherOrderOfThreadsShouldBeRecordedConfirmedAndReplayed() {
    Said said = workbench.runCampaign(handover, "--set", "races.runs=4", "--set", "races.holds=0");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("a crash was tried of 1 and confirmed 1")
        .containsPattern("found in [1-4] of 4 runs");
    Finding bug = report(said).findings().get(0);
    assertThat(replayed(bug)).isNotEmpty();
  }

  /** The command that the report gives, by which the bug showed again. */
  private static List<String> replayed(Finding bug) {
    List<String> replay = List.of(bug.injection().orElseThrow().replay().split(" "));
    Said again = Workbench.powercut(replay.subList(1, replay.size()).toArray(String[]::new));
    assertThat(again.exitCode()).as(again.errors()).isEqualTo(1);
    return replay;
  }
}
