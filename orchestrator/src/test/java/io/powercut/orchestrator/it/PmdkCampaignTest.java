// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The project's campaigns on real applications, with few operations. */
@Tag("campaign")
class PmdkCampaignTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with("pmdk", "lmdb");

  private static Workbench.Outcome run(
      String name, String injection, int operations, String... more) {
    Path file = Workbench.home().resolve("configs/" + name + ".yaml");
    List<String> overrides =
        new ArrayList<>(
            List.of(
                "build=null",
                "injection=" + injection,
                "limits.parallel=1",
                // What can be decided in this time is decided; it does not wait for the rest.
                "crashStates.completeTime=2s",
                "parameters.operations=" + operations));
    overrides.addAll(List.of(more));
    Campaign campaign = workbench.load(file, overrides);
    return workbench.run(campaign, file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pmdk-btree",
        "pmdk-btree-pmempool",
        "pmdk-ctree",
        "pmdk-rbtree",
        "pmdk-rtree",
        "pmdk-hashmap-tx",
        "pmdk-hashmap-rp",
        "pmdk-skiplist",
        "libart",
        "kv-server",
        "lmdb",
        "lmdb-dump"
      })
  @Execution(ExecutionMode.CONCURRENT)
  void applicationShouldRecoverFromEveryCrash(String name) {
    runThatRecoversFromEveryCrash(name);
  }

  private static Report runThatRecoversFromEveryCrash(String name) {
    // Each request to a server waits for its answer, and it is stopped for each image.
    Workbench.Outcome outcome = run(name, "recorded", name.equals("kv-server") ? 20 : 60);

    assertThat(outcome.judgements())
        .as(() -> outcome.report().findings().toString())
        .hasSize(outcome.tree().size())
        .hasSizeGreaterThan(9)
        .allSatisfy(one -> assertThat(one.kind()).isEqualTo(Verdict.Kind.CONSISTENT));
    // What crash states show of hashmap_atomic and LMDB is known, and accepted in the baseline.
    assertThat(outcome.report().findings()).noneMatch(Finding::fails);
    assertThat(outcome.report().outcome().exitCode()).isZero();
    Workbench.requireComplete(outcome.report());
    return outcome.report();
  }

  /**
   * LMDB's header page is one sector of a disk: that its parts may be lost there is one finding.
   * What the compiler reorders there is not whole.
   */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void tornHeaderPageShouldBeMarkedAsPossibleOnDaxOnly() {
    assertThat(run("lmdb", "recorded", 1000).report().findings())
        .filteredOn(finding -> finding.severity() == Severity.BUG)
        .extracting(Finding::daxOnly)
        .containsExactlyInAnyOrder(true, false);
  }

  /** The table's object id lies in two cache lines, and half of the new one is worse than none. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void objectIdThatHashmapAtomicTearsShouldBeFoundAndAccepted() {
    Report report = runThatRecoversFromEveryCrash("pmdk-hashmap-atomic");

    List<Finding> shown =
        report.findings().stream().filter(one -> one.injection().isPresent()).toList();
    assertThat(shown).hasSize(1);
    Finding finding = shown.get(0);
    assertThat(finding.kind()).isEqualTo("CRASHED");
    assertThat(finding.accepted()).isPresent();
    JudgedState state = finding.injection().orElseThrow().state().orElseThrow();
    assertThat(state.smallest()).isTrue();
    assertThat(state.lost()).hasSize(1);
    assertThat(state.arrived()).hasSize(1);
    JudgedState.Store lost = state.lost().get(0);
    JudgedState.Store arrived = state.arrived().get(0);
    assertThat(lost.missing()).isEqualTo(JudgedState.Missing.ATOMICITY);
    assertThat(state.remedy()).contains("hashmap_atomic.c:169 can be torn");
    assertThat(List.of(lost, arrived))
        .extracting(one -> one.store().stack().get(0).text())
        .allSatisfy(
            place ->
                assertThat(place)
                    .startsWith("hm_atomic_rebuild_finish at ")
                    .endsWith("/hashmap_atomic.c:169"));
    assertThat(lost.store().size()).as("the pool's id").isEqualTo(8);
    assertThat(arrived.store().offset())
        .as("the offset, in the next line")
        .isEqualTo(lost.store().offset() + 8)
        .satisfies(offset -> assertThat(offset % 64).isZero());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmdk-btree", "pmdk-hashmap-atomic", "libart"})
  @Execution(ExecutionMode.CONCURRENT)
  void whatWasAcknowledgedShouldBeThere(String name) {
    String told = "parameters.told=\"{acknowledged}\"";

    assertThat(
            run(name, "recorded", 30, "name=told-" + name, "parameters.acknowledge=yes", told)
                .judgements())
        .hasSizeGreaterThan(9)
        .allSatisfy(one -> assertThat(one.kind()).isEqualTo(Verdict.Kind.CONSISTENT));
    assertThatThrownBy(() -> run(name, "recorded", 30, "name=untold-" + name, told))
        .as("who is told nothing finds more than the one operation under way")
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("after 0 acknowledged operations");
  }

  /** The check goes on working with the map, so that only what it does to recover may be cut. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void recoveryShouldSurviveCrashesOfItsOwn() {
    Workbench.Outcome outcome =
        run(
            "pmdk-btree",
            "recorded",
            30,
            "name=second-crash",
            "recovery.inject=true",
            "recoveryCrash.images=12",
            "recoveryCrash.within=[pmemobj_open, store_recover]");

    Report.RecoveryCrashes totals = outcome.report().recoveryCrashes().orElseThrow();
    assertThat(totals.images()).isEqualTo(12);
    assertThat(totals.failurePoints()).isGreaterThan(5);
    assertThat(totals.recoveries()).isPositive();
    assertThat(totals.failing()).as(outcome.report().findings().toString()).isZero();
    assertThat(outcome.report().outcome().exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmdk-btree", "pmdk-hashmap-tx", "kv-server"})
  @Execution(ExecutionMode.CONCURRENT)
  void contentsShouldBeThoseAtAnAcknowledgementAroundTheCrash(String name) {
    String dump = "dump.command=[workloads/pmdk/build/map_workload, %s, \"{map}\", \"{pm}/pool\"]";
    boolean isServer = name.equals("kv-server");
    Workbench.Outcome outcome =
        run(
            name,
            "recorded",
            isServer ? 15 : 30,
            "name=dump-" + name,
            isServer ? "acknowledged=[sockets]" : "parameters.acknowledge=yes",
            dump.formatted(isServer ? "dump-kv-server" : "dump"),
            "dump.timeout=30s");

    assertThat(outcome.judgements())
        .hasSize(outcome.tree().size())
        .hasSizeGreaterThan(9)
        .allSatisfy(
            one -> {
              assertThat(one.kind()).as(one.seen()).isEqualTo(Verdict.Kind.CONSISTENT);
              assertThat(one.step()).isEqualTo("dump");
            });
    Workbench.requireComplete(outcome.report());
    assertThat(outcome.report().outcome().exitCode()).isZero();
  }

  @Test
  void contentsShouldDifferWhereManyOperationsLieBetweenTwoAcknowledgements() {
    Workbench.Outcome outcome =
        run(
            "pmdk-btree",
            "recorded",
            60,
            "name=dump-unacknowledged",
            "crashStates.enabled=false",
            "dump.command=[workloads/pmdk/build/map_workload, dump, \"{map}\", \"{pm}/pool\"]",
            "dump.timeout=30s");

    assertThat(outcome.judgements())
        .filteredOn(Judgement::isBug)
        .isNotEmpty()
        .allSatisfy(
            one ->
                assertThat(one.seen())
                    .contains("neither those after set-up nor those after a clean exit"));
  }

  @ParameterizedTest
  @CsvSource({"lmdb, 40", "pmdk-btree, 2"})
  @Execution(ExecutionMode.CONCURRENT)
  void reExecutionShouldReachTheFailurePointsOfARecordedRunAndJudgeThemAlike(
      String name, int operations) {
    Workbench.Outcome recorded = run(name, "recorded", operations);
    Workbench.Outcome reExecuted = run(name, "re-executed", operations);

    assertThat(verdicts(reExecuted)).isEqualTo(verdicts(recorded)).isNotEmpty();
  }

  private static Map<FailurePointId, Verdict.Kind> verdicts(Workbench.Outcome outcome) {
    return outcome.judgements().stream()
        .collect(Collectors.toMap(Judgement::failurePointId, Judgement::kind));
  }

  /** libart fails without any crash when a node's fourth child has the largest key byte. */
  @Test
  void faultOfTheApplicationItselfShouldBeNamedInsteadOfTakenForACrashBug() {
    assertThatThrownBy(() -> run("libart-unsafe", "recorded", 1000))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("without any crash")
        .hasMessageContaining("SIGABRT")
        .hasMessageContaining("art.c:")
        .hasMessageContaining("Assertion `(idx + 1) < 4' failed");
  }
}
