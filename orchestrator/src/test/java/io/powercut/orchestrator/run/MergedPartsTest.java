// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.CodeLog;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.Shard;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import io.powercut.tree.TreeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs of a campaign's parts, made by hand, and the run that they are merged to. */
class MergedPartsTest {
  private static final LocalDateTime NOW = LocalDateTime.of(2026, 1, 2, 3, 4, 5);
  private static final String BUILD = "b1";

  @RegisterExtension private final HandRun run = HandRun.open();
  private int parts;

  private static List<FailurePointId> ids() {
    return IntStream.range(10, 30).mapToObj(source -> TargetByHand.stack(source).id()).toList();
  }

  private Path root() {
    return run.folder().resolve("runs");
  }

  private RunFacts facts(Optional<Shard> shard, String buildId) {
    int number = ++parts;
    return new RunFacts(
        "/hand.yaml",
        "2026-01-0%dT00:00:00Z".formatted(9 - number),
        true,
        buildId,
        shard,
        List.of(),
        Map.of("instrumentedRun", 1.5),
        Map.of("kernel", "k" + (number % 2)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** A part's run, which judged its own failure points right and all others wrong. */
  private RunDirectory part(Campaign campaign, Optional<Shard> shard, String buildId)
      throws IOException {
    RunDirectory part = RunDirectory.create(root(), "hand", NOW.plusMinutes(parts));
    CampaignWriter.write(campaign, part.campaignFile());
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    VerdictLog verdicts = VerdictLog.open(part.verdictsFile());
    StateLog states = StateLog.open(part.statesFile());
    long ordinal = 1;
    for (int source = 10; source < 30; source++) {
      tree.reach(TargetByHand.stack(source), Instruction.CLWB, ordinal++);
      Occurrence at = new Occurrence(TargetByHand.stack(source).id(), 1);
      boolean isOwn = shard.map(one -> one.contains(at.id())).orElse(true);
      verdicts.add(FakeRecovery.verdict(at, isOwn ? Optional.empty() : Optional.of("foreign")));
      states.add(isOwn ? StateVerdicts.none(at, true) : StateVerdicts.pending(at));
    }
    TreeFile.write(tree, part.treeFile());
    Json.write(part.codeFile(), new CodeLog(Map.of(ids().get(parts), "call " + parts)));
    Path image = part.imagesDirectory().resolve("image-" + parts);
    Files.createDirectories(image);
    Files.writeString(image.resolve("pool"), "bytes");
    Json.write(part.factsFile(), facts(shard, buildId));
    return part;
  }

  private RunDirectory part(int index, int count) throws IOException {
    return part(run.campaign(), Optional.of(new Shard(index, count)), BUILD);
  }

  private RunDirectory merge(RunDirectory... runs) throws IOException {
    return ShardMerge.merge(List.of(runs), root(), NOW.plusHours(1));
  }

  @Test
  void verdictsShouldComeFromThePartThatTheyBelongTo() throws IOException {
    RunDirectory second = part(2, 2);
    RunDirectory merged = merge(second, part(1, 2));

    assertThat(VerdictLog.open(merged.verdictsFile()).all())
        .extracting(Judgement::failurePointId)
        .containsExactlyInAnyOrderElementsOf(ids());
    assertThat(VerdictLog.open(merged.verdictsFile()).all()).noneMatch(Judgement::isBug);
    assertThat(StateLog.open(merged.statesFile()).history())
        .hasSize(ids().size())
        .allMatch(StateVerdicts::isSettled);
    assertThat(merged.tree().failurePoints())
        .extracting(FailurePoint::id)
        .containsExactlyElementsOf(ids());
    assertThat(merged.code().byFailurePoint()).hasSize(2);
    assertThat(merged.imagesDirectory().resolve("image-0/pool")).hasContent("bytes");
    assertThat(merged.imagesDirectory().resolve("image-1/pool")).hasContent("bytes");
  }

  @Test
  void factsShouldBeThoseOfAllPartsTogetherWithTheMissingOnesNamed() throws IOException {
    RunDirectory first = part(1, 4);
    RunFacts facts = merge(first, part(3, 4), part(4, 4)).facts();

    assertThat(facts.missingParts()).containsExactly(new Shard(2, 4));
    assertThat(facts.shard()).isEmpty();
    assertThat(facts.started()).isEqualTo("2026-01-06T00:00:00Z");
    assertThat(facts.timings()).containsEntry("instrumentedRun", 4.5);
    assertThat(facts.environment()).containsEntry("kernel", "k1; k0");
    assertThat(facts.treeIsWhole()).isTrue();
  }

  @Test
  void traceThatOnePartKeptShouldBeKept() throws IOException {
    RunDirectory first = part(1, 2);
    RunDirectory second = part(2, 2);
    Files.writeString(second.traceFile(), "trace");

    assertThat(merge(first, second).traceFile()).hasContent("trace");
  }

  /** As after {@code kill -9}: what is there then must not be taken for a run. */
  @Test
  void mergeThatDidNotEndShouldSayToMergeAgain() throws IOException {
    RunDirectory first = part(1, 2);
    RunDirectory second = part(2, 2);
    Files.writeString(second.imagesDirectory().resolve("no-image"), "");

    assertThatThrownBy(() -> merge(first, second)).isInstanceOf(IOException.class);

    RunDirectory merged = RunDirectory.open(root().resolve("hand"));
    assertThatThrownBy(merged::requireTrustworthy)
        .hasMessageContaining("not merged to the end; merge them again");
    Files.delete(second.imagesDirectory().resolve("no-image"));
    merge(first, second).requireTrustworthy();
  }

  @Test
  void whatIsNoSetOfPartsShouldBeAUsageError() throws IOException {
    RunDirectory first = part(1, 2);
    RunDirectory whole = part(run.campaign(), Optional.empty(), BUILD);
    RunDirectory ofThree = part(2, 3);
    RunDirectory rebuilt = part(run.campaign(), Optional.of(new Shard(2, 2)), "b2");
    RunDirectory other =
        part(run.campaign("limits: {images: 7}\n"), Optional.of(new Shard(2, 2)), BUILD);

    refused("needs no merge", whole, first);
    refused("part 1/2 is given twice", first, first);
    refused("all must be parts of the same total", first, ofThree);
    refused("has the build id b1, that of", first, rebuilt);
    refused("runs of different campaigns", first, other);
    assertThat(root().resolve("hand").toFile().list()).hasSize(6);
  }

  private void refused(String why, RunDirectory... runs) {
    assertThatThrownBy(() -> merge(runs))
        .isInstanceOfSatisfying(
            PowercutException.class, e -> assertThat(e.exit()).isEqualTo(ExitCode.WRONG_USAGE))
        .hasMessageContaining(why);
  }

  /** A part that Ctrl-C ended before its target ran. */
  private RunDirectory interrupted(int index, int count) throws IOException {
    RunDirectory part = RunDirectory.create(root(), "hand", NOW.plusMinutes(30));
    CampaignWriter.write(run.campaign(), part.campaignFile());
    TreeFile.write(InstrumentedRun.emptyTree(run.campaign()), part.treeFile());
    RunFacts whole = facts(Optional.of(new Shard(index, count)), "");
    Json.write(
        part.factsFile(),
        new RunFacts(
            whole.campaignFile(),
            whole.started(),
            false,
            "",
            whole.shard(),
            List.of(),
            whole.timings(),
            whole.environment(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    return part;
  }

  @Test
  void partThatWasInterruptedEarlyShouldLackItsVerdictsOnly() throws IOException {
    RunDirectory second = part(2, 2);
    RunDirectory merged = merge(interrupted(1, 2), second);

    assertThat(merged.facts().treeIsWhole()).isFalse();
    assertThat(merged.facts().targetBuildId()).isEqualTo(BUILD);
    assertThat(merged.facts().missingParts()).isEmpty();
    assertThat(merged.tree().failurePoints()).hasSameSizeAs(ids());
    assertThat(VerdictLog.open(merged.verdictsFile()).all())
        .hasSizeLessThan(ids().size())
        .isNotEmpty();
  }

  @Test
  void targetThatHasNoBuildIdInOnePartShouldBeRefusedInWords() throws IOException {
    RunDirectory first = part(1, 2);

    refused(
        "has no build id: build it once",
        first,
        part(run.campaign(), Optional.of(new Shard(2, 2)), ""));
  }

  @Test
  void damagedPartShouldBeRefusedBeforeThereIsAMergedRun() throws IOException {
    RunDirectory first = part(1, 2);
    RunDirectory second = part(2, 2);
    Files.writeString(second.codeFile(), "{");

    assertThatThrownBy(() -> merge(first, second)).hasMessageContaining("code.json:1 was damaged");
    assertThat(root().resolve("hand/latest").toRealPath()).isEqualTo(second.path());
  }

  @Test
  void runThatCouldNotBeMergedShouldSaySo() throws IOException {
    RunDirectory first = part(1, 2);
    RunDirectory second = part(2, 2);
    Path image = Files.createDirectories(second.imagesDirectory().resolve("image-0"));
    Files.writeString(image.resolve("pool"), "of another part");

    assertThatThrownBy(() -> merge(first, second)).hasMessageContaining("image-0");
    assertThatThrownBy(() -> RunDirectory.open(root().resolve("hand")).requireTrustworthy())
        .hasMessageContaining("merge them again");
  }

  @Test
  void placeOfThePmFilesShouldNotMakeAnotherCampaign() throws IOException {
    RunDirectory first = part(1, 2);
    Campaign elsewhere = run.campaign("pm: {directory: /dev/shm}\n");
    RunDirectory second = part(elsewhere, Optional.of(new Shard(2, 2)), BUILD);

    assertThat(merge(first, second).facts().missingParts()).isEmpty();
  }

  @Test
  void partThatCannotBeTrustedShouldBeRefused() throws IOException {
    RunDirectory first = part(1, 2);
    RunDirectory second = part(2, 2);
    second.setFailure("recovery refused the end");

    assertThatThrownBy(() -> merge(first, second)).hasMessageContaining("recovery refused the end");
  }
}
