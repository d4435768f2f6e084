// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.CrashFrame;
import io.powercut.oracle.CrashStack;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.dump.ExpectedDumps;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Progress;
import io.powercut.process.Signal;
import io.powercut.report.evidence.Judgement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of the oracle's results, and what is kept of a bug. */
class ImageJudgeTest {
  private static final FakeRuns REFUSING =
      new FakeRuns(
          pm -> new Verdict.Unrecoverable("exited with code 1", "said", OptionalInt.of(1)));

  @TempDir private Path folder;
  private ProgramByHand program;

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  private Path run() {
    return program.workplace().directory().path();
  }

  private ImageJudge judge(RecoveryRuns recovery) {
    return new ImageJudge(
        recovery, program.campaign().oracle(), program.workplace().directory(), Progress.SILENT);
  }

  private CopiedImages images(Optional<Acknowledgement> acknowledged) {
    return new CopiedImages(folder.resolve("base"), acknowledged, program.resources().area());
  }

  private CopiedImages images() {
    return images(Optional.empty());
  }

  @Test
  void imageOfABugShouldBeKeptWithWhatWasAcknowledged() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "put 1\nput 2\nput");
    Acknowledgement told = new Acknowledgement(log, 12, 2);
    Judgement judgement = judge(REFUSING).judge(ProgramByHand.at(7), images(Optional.of(told)));

    assertThat(judgement.kind()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(judgement.seen()).isEqualTo("recovery failed: exited with code 1");
    assertThat(judgement.step()).isEqualTo("check");
    assertThat(judgement.output()).isEqualTo("item 3 is gone\n");
    assertThat(judgement.acknowledged().orElseThrow().lines()).isEqualTo(2);
    Path image = run().resolve(judgement.image().orElseThrow());
    assertThat(image.resolve(ProgramByHand.FILE)).exists();
    assertThat(image.resolveSibling("acknowledged")).hasContent("put 1\nput 2\n");
  }

  @Test
  void nothingShouldBeKeptOfAConsistentImage() {
    FakeRuns recovery = FakeRuns.accepting();
    Judgement judgement = judge(recovery).judge(ProgramByHand.at(7), images());

    assertThat(judgement.image()).isEmpty();
    assertThat(judgement.output()).isEmpty();
    assertThat(run()).doesNotExist();
    assertThat(recovery.evidence().get(0).orElseThrow().toString()).endsWith("/evidence");
    assertThat(recovery.settings().get(0)).isEqualTo(OracleSettings.DEFAULT);
  }

  @Test
  void probeShouldAskOnceAndKeepNothing() {
    FakeRuns recovery =
        new FakeRuns(pm -> new Verdict.Unrecoverable("no", "", OptionalInt.empty()));
    Judgement judgement = judge(recovery).probe(ProgramByHand.at(7), images());

    assertThat(judgement.isBug()).isTrue();
    assertThat(judgement.image()).isEmpty();
    assertThat(run()).doesNotExist();
    assertThat(recovery.evidence()).containsExactly(Optional.empty());
    assertThat(recovery.settings().get(0).doubleCheck()).isFalse();
  }

  @Test
  void crashShouldBeReportedWithRecoverysStack() {
    CrashFrame frame =
        new CrashFrame(
            "redo",
            Optional.of("/src/app.c"),
            OptionalInt.of(12),
            Optional.of("app"),
            OptionalLong.of(0x1f));
    CrashStack stack =
        new CrashStack(List.of(frame), Optional.empty(), "", Optional.empty(), Optional.empty());
    Judgement judgement =
        judge(new FakeRuns(pm -> new Verdict.Crashed(new Signal(11), stack)))
            .judge(ProgramByHand.at(7), images());

    assertThat(judgement.recoveryStack())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.function()).isEqualTo("redo");
              assertThat(one.line()).isEqualTo(12);
              assertThat(one.offset()).isEqualTo("0x1f");
            });
  }

  @Test
  void contentsThatAreNeitherBeforeNorAfterShouldBeABugWhoseDumpsAreKept() {
    ExpectedDumps expected =
        new ExpectedDumps(
            new Dump("after it acknowledged 1 line", Optional.of("a\n"), ""),
            new Dump("after it acknowledged 2 lines", Optional.of("a\nb\n"), ""));
    Judgement wrong =
        judge(FakeRuns.accepting().printing("b\n"))
            .judge(ProgramByHand.at(7), images().expecting(Optional.of(expected)));
    Judgement right =
        judge(FakeRuns.accepting().printing("a\nb\n"))
            .judge(ProgramByHand.at(8), images().expecting(Optional.of(expected)));

    assertThat(wrong.isBug()).isTrue();
    assertThat(wrong.output()).contains("-a");
    Path image = run().resolve(wrong.image().orElseThrow());
    assertThat(image.resolveSibling("evidence").resolve("dump").resolve("recovered"))
        .hasContent("b\n");
    assertThat(right.isBug()).isFalse();
  }

  @Test
  void dumpOfAnImageThatRecoveryRefusesShouldBeMissing() {
    assertThat(judge(FakeRuns.accepting().printing("x")).dump("now", images()).text())
        .contains("x");
    assertThat(judge(REFUSING).dump("now", images()).problem()).contains("exited with code 1");
  }
}
