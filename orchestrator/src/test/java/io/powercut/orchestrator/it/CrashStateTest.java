// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** States beyond program order in whole runs. */
@Tag("campaign")
class CrashStateTest {
  private static final Path CAMPAIGN = Workbench.home().resolve("configs/bugs/bug.yaml");
  @RegisterExtension private static final Workbench workbench = Workbench.with("bugs");

  private static CampaignRuns runs;

  @BeforeAll
  static void build() {
    runs =
        new CampaignRuns(workbench, CAMPAIGN, "bug", "parameters.program", List.of("build=null"));
  }

  private static InjectionEvidence proof(Report report) {
    assertThat(report.findings()).filteredOn(one -> one.injection().isPresent()).hasSize(1);
    return report.findings().get(0).injection().orElseThrow();
  }

  private static String function(JudgedState.Store store) {
    return store.store().stack().get(0).function();
  }

  @Test
  void findingShouldNameTheGuiltyStoresAndWhatIsMissing() throws IOException {
    InjectionEvidence proof = proof(runs.report("missing-fence"));

    JudgedState state = proof.state().orElseThrow();
    assertThat(state.lost()).extracting(CrashStateTest::function).containsExactly("publish");
    assertThat(state.arrived()).extracting(CrashStateTest::function).containsExactly("publish");
    assertThat(state.lost().get(0).missing()).isEqualTo(JudgedState.Missing.FENCE);
    assertThat(state.smallest()).isTrue();
    assertThat(state.remedy())
        .contains("missing-fence.c")
        .contains("is not followed by a fence before the store to slot->valid at publish");
    assertThat(state.lost().get(0).role()).isEqualTo(JudgedState.Role.CAUSE);
    assertThat(state.lost().get(0).variable()).isEqualTo("slot->data");
    assertThat(state.advice()).contains("add a fence after the flush");
    assertThat(state.adviceVerified()).isTrue();
    assertThat(proof.verdict()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(runs.latest().resolve(proof.image().orElseThrow()).resolve("pool")).isRegularFile();
  }

  @Test
  void findingOfProgramOrderShouldSayWhatItsImageLacks() throws IOException {
    Finding finding = runs.report("flag-before-data").findings().get(0);

    ImageLacks lacks = finding.injection().orElseThrow().changes().lacks().orElseThrow();
    assertThat(finding.title())
        .contains("; the image has the store to slot->valid at publish at ")
        .endsWith(" and lacks " + lacks.inWords());
    assertThat(lacks.first()).contains("fill at", "flag-before-data.c");
    assertThat(lacks.stores()).isNotEmpty();
    assertThat(lacks.more()).isZero();
  }

  /** It names flushes; the finding blames a store, which has a line of its own. */
  @Test
  void warningAboutOtherLinesShouldStandByItself() throws IOException {
    List<Finding> findings = runs.report("missing-fence").findings();

    assertThat(findings.get(0).injection()).isPresent();
    assertThat(findings.get(0).patterns()).isEmpty();
    assertThat(findings).extracting(Finding::kind).contains("UNORDERED_FENCE");
  }

  /** What nobody reads after a crash need not be persistent. */
  @Test
  void transientDataThatRecoveryDoesNotReadShouldBeToldFromOthers() throws IOException {
    assertThat(titleOfTransientData("transient-data"))
        .endsWith("; no watched recovery read any of it");
    assertThat(titleOfTransientData("late-flush")).doesNotContain("no watched recovery");
  }

  private String titleOfTransientData(String program) throws IOException {
    return runs.report(program, "occurrences.first=9").findings().stream()
        .filter(one -> one.kind().equals("TRANSIENT_DATA"))
        .findFirst()
        .orElseThrow()
        .title();
  }

  @Test
  void replayShouldRebuildTheStateAndShowItsVerdict() throws IOException {
    InjectionEvidence proof = proof(runs.report("missing-flush"));
    String state = proof.state().orElseThrow().id();
    assertThat(proof.replay()).endsWith(proof.failurePointId().toString() + " --state " + state);
    Path kept = workbench.directory().resolve("kept");

    Said said =
        Workbench.powercut(
            "replay",
            runs.latest().toString(),
            proof.failurePointId().toString(),
            "--state",
            state.substring(0, 6),
            "--keep",
            kept.toString());

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("state    " + state, "lost:", "verdict  unrecoverable");
    assertThat(Files.readAllBytes(kept.resolve("pool")))
        .isEqualTo(
            Files.readAllBytes(runs.latest().resolve(proof.image().orElseThrow()).resolve("pool")));
    assertThat(Workbench.powercut("replay", runs.latest().toString()).output())
        .contains("state    " + state);
    Said unknown =
        Workbench.powercut(
            "replay",
            runs.latest().toString(),
            proof.failurePointId().toString(),
            "--state",
            "ffffffffffffffff");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.errors()).contains("no state ffffffffffffffff", "states.jsonl");
  }

  @Test
  void withoutCrashStatesProgramOrderShouldShowNothing() throws IOException {
    Report report = runs.report("missing-fence", "crashStates.enabled=false");

    assertThat(report.states()).isEmpty();
    assertThat(report.findings()).allMatch(finding -> finding.injection().isEmpty());
    assertThat(report.outcome().exitCode()).isZero();
  }

  @Test
  void withSafeCachesNoFlushShouldBeMissed() throws IOException {
    Report report = runs.report("missing-flush", "domain=eadr");

    assertThat(report.states().orElseThrow().judged()).isZero();
    assertThat(report.outcome().exitCode()).isZero();
  }

  @Test
  void spentLimitShouldEndTheRunHonestly() throws IOException {
    String correct = "parameters.variant=correct";
    Report whole = runs.report("straddling-store", correct);
    Report.States all = whole.states().orElseThrow();
    assertThat(whole.outcome().exitCode()).isZero();
    assertThat(all.judged()).isGreaterThan(3);
    assertThat(all.unexplored()).isZero();

    Said cut = runs.run("straddling-store", correct, "crashStates.limit=3");

    assertThat(cut.exitCode()).as(cut.errors()).isEqualTo(4);
    assertThat(cut.output()).contains("the run ended before their crash states were judged");
    Report part = Workbench.report(runs.latest());
    assertThat(part.states().orElseThrow().judged()).isEqualTo(3);
    assertThat(part.states().orElseThrow().unexplored()).isPositive();
  }

  @Test
  void resumedRunShouldJudgeTheStatesThatAreLeft() throws IOException {
    Report whole = runs.report("missing-flush");
    Path run = runs.latest();
    List<String> lines = Files.readAllLines(run.resolve("states.jsonl"));
    assertThat(lines).hasSizeGreaterThan(1);
    // As a kill -9 leaves it: one line whole, the next one cut off.
    Files.writeString(
        run.resolve("states.jsonl"), lines.get(0) + "\n" + lines.get(1).substring(0, 20));

    Said resumed = runs.run("missing-flush", "--resume");

    assertThat(resumed.exitCode()).as(resumed.errors()).isEqualTo(1);
    assertThat(runs.latest()).isEqualTo(run);
    Report again = Workbench.report(run);
    assertThat(again.states().orElseThrow().judged())
        .isEqualTo(whole.states().orElseThrow().judged());
    assertThat(findings(again)).isEqualTo(findings(whole));
  }

  @Test
  void partsShouldFindTogetherWhatTheWholeFinds() throws IOException {
    Report whole = runs.report("missing-flush");

    Said said = runs.inParts("missing-flush");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    Report merged = Workbench.report(runs.latest());
    assertThat(findings(merged)).isEqualTo(findings(whole));
    assertThat(merged.states().orElseThrow().byPolicy())
        .isEqualTo(whole.states().orElseThrow().byPolicy());
  }

  private static List<Tuple> findings(Report report) {
    return report.findings().stream()
        .map(one -> Tuple.tuple(one.fingerprint(), one.title(), one.count(), one.stack()))
        .toList();
  }

  /** Of all lines that are pending, these recoveries read some. */
  @ParameterizedTest
  @ValueSource(strings = {"missing-flush", "straddling-store", "missing-fence"})
  void unreadLinesShouldChangeNothingButTheNumberOfRecoveries(String program) throws IOException {
    // With more than one at a time, two may ask recovery for the same image. States that are judged
    // to decide a failure point come on top where reads are known.
    String[] all = {
      "limits.parallel=1",
      "crashStates.perFailurePoint=200",
      "crashStates.exhaustive=8",
      "crashStates.complete=0",
      ""
    };
    all[4] = "crashStates.skipUnread=false";
    Report unpruned = runs.report(program, all);
    all[4] = "crashStates.skipUnread=true";
    Report pruned = runs.report(program, all);

    assertThat(findings(pruned)).isEqualTo(findings(unpruned)).isNotEmpty();
    assertThat(pruned.states().orElseThrow().judged())
        .isEqualTo(unpruned.states().orElseThrow().judged());
    assertThat(pruned.states().orElseThrow().failing())
        .isEqualTo(unpruned.states().orElseThrow().failing());
    assertThat(unpruned.states().orElseThrow().unread()).isZero();
    assertThat(pruned.states().orElseThrow().unread()).isPositive();
    assertThat(pruned.states().orElseThrow().recoveries())
        .isLessThanOrEqualTo(unpruned.states().orElseThrow().recoveries());
  }
}
