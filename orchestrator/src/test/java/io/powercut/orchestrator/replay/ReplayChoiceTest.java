// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a person means by the ids of a replay. */
class ReplayChoiceTest {
  private static final FailurePointId BUG = TargetByHand.stack(11).id();
  private static final FailurePointId GOOD = TargetByHand.stack(21).id();
  private static final FailurePointId CUT = new FailurePointId(0xc1);

  @RegisterExtension private final HandRun run = HandRun.open();
  private RunDirectory directory;

  @BeforeEach
  void open() throws IOException {
    directory = new RunDirectory(Files.createDirectory(run.folder().resolve("run")));
  }

  private ReplayChoice choice() throws IOException {
    FailurePointTree tree = InstrumentedRun.emptyTree(run.campaign());
    tree.reach(TargetByHand.stack(11), Instruction.CLWB, 1);
    tree.reach(TargetByHand.stack(21), Instruction.CLWB, 2);
    VerdictLog verdicts = VerdictLog.open(directory.verdictsFile());
    verdicts.add(FakeRecovery.verdict(new Occurrence(BUG, 1), Optional.empty()));
    verdicts.add(FakeRecovery.verdict(new Occurrence(BUG, 3), Optional.of("lost")));
    verdicts.add(FakeRecovery.verdict(new Occurrence(GOOD, 1), Optional.empty()));
    RecoveryCrashLog.open(directory.recoveryCrashFile()).add(cut());
    return new ReplayChoice(run.campaign(), directory, tree);
  }

  private static RecoveryCrashVerdicts cut() {
    Judgement broken = FakeRecovery.verdict(new Occurrence(GOOD, 1), Optional.of("cut"));
    return new RecoveryCrashVerdicts(
        GOOD,
        1,
        "hash",
        Map.of(CUT.toString(), "hash"),
        Map.of(),
        Map.of(),
        1,
        1,
        List.of(
            new RecoveryCrashFinding(
                "f".repeat(16), new RecoveryCrash(CUT, 1, "recovery", "clwb", List.of()), broken)),
        List.of(),
        Map.of(),
        true);
  }

  private static ReplayRequest request(
      FailurePointId id, Optional<Long> occurrence, String second) {
    return new ReplayRequest(
        Optional.of(id.toString().substring(0, 6)),
        occurrence,
        Optional.empty(),
        Optional.empty(),
        Optional.of(second).filter(text -> !text.isEmpty()));
  }

  @Test
  void failurePointShouldMeanTheOccurrenceThatIsABug() throws IOException {
    ReplayedCut cut = choice().choose(request(BUG, Optional.empty(), ""));

    assertThat(cut).isInstanceOf(ReplayedCut.InProgramOrder.class);
    assertThat(cut.occurrence()).isEqualTo(new Occurrence(BUG, 3));
    assertThat(cut.judged().orElseThrow().isBug()).isTrue();
    assertThat(cut.step()).isEqualTo("recovery");
  }

  @Test
  void occurrenceThatIsAskedForShouldBeReplayedThoughItWasNotJudged() throws IOException {
    ReplayedCut cut = choice().choose(request(BUG, Optional.of(2L), ""));

    assertThat(cut.occurrence()).isEqualTo(new Occurrence(BUG, 2));
    assertThat(cut.judged()).isEmpty();
    assertThat(cut.step()).isEmpty();
  }

  @Test
  void crashDuringRecoveryShouldBeChosenWhereTheImageItselfIsGood() throws IOException {
    ReplayedCut byItself = choice().choose(request(GOOD, Optional.empty(), ""));
    ReplayedCut byName = choice().choose(request(GOOD, Optional.empty(), CUT.toString()));

    assertThat(byItself).isInstanceOf(ReplayedCut.InRecovery.class).isEqualTo(byName);
  }

  @Test
  void unknownNamesShouldBeMistakesOfTheUser() throws IOException {
    ReplayChoice choice = choice();

    assertThatThrownBy(() -> choice.choose(request(new FailurePointId(7), Optional.empty(), "")))
        .isInstanceOf(PowercutException.class);
    assertThatThrownBy(() -> choice.choose(request(GOOD, Optional.empty(), "abc")))
        .hasMessageContaining("the run has no crash during recovery abc");
    assertThatThrownBy(
            () ->
                choice.choose(
                    new ReplayRequest(
                        Optional.of(BUG.toString()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of("abc"),
                        Optional.empty())))
        .hasMessageContaining("the run has no state abc at failure point");
  }

  @Test
  void numbersThatTheRunCannotHaveShouldBeMistakesOfTheUser() throws IOException {
    ReplayChoice choice = choice();

    assertThatThrownBy(() -> choice.choose(request(BUG, Optional.of(0L), "")))
        .hasMessage("--occurrence is 0, but occurrences count from 1.");
    assertThatThrownBy(() -> choice.choose(request(BUG, Optional.of(1L << 31), "")))
        .hasMessage(
            "--occurrence is 2147483648, but no occurrence above 2147483647 can be replayed.");
    for (int order : List.of(-1, 3)) {
      ReplayRequest unknown =
          new ReplayRequest(
              Optional.of(BUG.toString()),
              Optional.empty(),
              Optional.of(order),
              Optional.empty(),
              Optional.empty());
      assertThatThrownBy(() -> choice.choose(unknown))
          .hasMessageContaining("the run has no order " + order + " of threads; --order takes 0");
    }
  }
}
