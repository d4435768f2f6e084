// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static io.powercut.oracle.OracleFixture.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.process.Signal;
import io.powercut.process.SpaceGuard;
import io.powercut.process.Success;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("programs")
class RecoveryOracleTest {
  @TempDir Path directory;
  private OracleFixture fixture;

  @BeforeEach
  void start() throws IOException {
    fixture = new OracleFixture(directory);
  }

  @AfterEach
  void copiesAreGone() throws IOException {
    assertThat(fixture.copiesMade).allSatisfy(copy -> assertThat(copy).doesNotExist());
    fixture.close();
  }

  @Test
  void successIsConsistentAndAskedForOnce() {
    OracleResult result = fixture.judge(fixture.recovery("fine"));
    assertThat(result.verdict()).isEqualTo(new Verdict.Consistent());
    assertThat(result.evidence()).isEmpty();
    assertThat(fixture.evidence).doesNotExist();
    assertThat(fixture.copiesMade).hasSize(1);
    assertThat(result.steps()).extracting(StepResult::name).containsExactly("recover");
  }

  @Test
  void exitCodeIsUnrecoverableAndAskedForTwice() {
    OracleResult result = fixture.judge(fixture.recovery("says-no"));
    assertThat(result.verdict())
        .isEqualTo(
            new Verdict.Unrecoverable(
                "it exited with code 1, expected exit code 0",
                "checksum is wrong\n",
                OptionalInt.of(1)));
    assertThat(result.verdict().describe())
        .isEqualTo("recovery failed: it exited with code 1, expected exit code 0");
    assertThat(fixture.copiesMade).hasSize(2);
    assertThat(fixture.evidence.resolve("1-recover.output")).hasContent("checksum is wrong\n");
  }

  @Test
  void findingsAreAskedForOnceIfSoWished() {
    OracleSettings once =
        new OracleSettings(false, false, "gdb", Duration.ofSeconds(60), DataSize.ofMebibytes(1));
    fixture.judge(once, image -> List.of(step(fixture.recovery("says-no"))));
    assertThat(fixture.copiesMade).hasSize(1);
  }

  @Test
  void hangIsAFinding() {
    OracleResult result = fixture.judge(fixture.recovery("hang").timeLimit(Duration.ofMillis(200)));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.HUNG);
    assertThat(result.verdict().isFinding()).isTrue();
    assertThat(result.verdict().describe()).contains("recovery hung", "200ms");
    assertThat(fixture.copiesMade).hasSize(2);
  }

  @Test
  void verdictThatChangesIsInconclusive() {
    Path mark = directory.resolve("mark");
    OracleResult result = fixture.judge(fixture.recovery("says-no-once", mark.toString()));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.verdict().describe())
        .contains("changed on a second run: first recovery failed", "then recovery succeeded");
  }

  @Test
  void refusalFollowedByACrashConfirmsNeither() {
    Path mark = directory.resolve("mark");
    String script =
        "test -e %1$s && { echo second; exec %2$s crash; }; touch %1$s; echo refused; exit 1"
            .formatted(mark, fixture.program);
    Verdict verdict = fixture.judge(CommandSpec.command("sh", "-c", script)).verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(verdict.describe())
        .contains("first recovery failed: it exited with code 1", "then recovery crashed");
    assertThat(((Verdict.Inconclusive) verdict).said())
        .isEqualTo("[first]\nrefused\n[then]\nsecond\n");
  }

  @Test
  void crashFollowedByARefusalConfirmsNeither() {
    Path mark = directory.resolve("mark");
    String script =
        "test -e %1$s && { echo refused; exit 1; }; touch %1$s; exec %2$s crash"
            .formatted(mark, fixture.program);
    Verdict verdict = fixture.judge(CommandSpec.command("sh", "-c", script)).verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(verdict.describe())
        .contains("first recovery crashed with SIGSEGV", "then recovery failed");
  }

  @Test
  void consistentImagesAreAskedAboutAgainInASample() {
    fixture.sample = YesSample.create();
    for (int image = 1; image <= 41; image++) {
      assertThat(fixture.judge(fixture.recovery("fine")).verdict())
          .isEqualTo(new Verdict.Consistent());
      int again = Math.min(image, 3) + (image >= 20 ? 1 : 0) + (image >= 40 ? 1 : 0);
      assertThat(fixture.copiesMade).hasSize(image + again);
    }
  }

  @Test
  void yesThatBecomesANoIsInconclusiveWithBothOutputs() {
    fixture.sample = YesSample.create();
    Path mark = directory.resolve("mark");
    String script =
        "test -e %1$s && { echo inconsistent; exit 1; }; touch %1$s; echo recovered"
            .formatted(mark);
    Verdict verdict = fixture.judge(CommandSpec.command("sh", "-c", script)).verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(verdict.describe())
        .contains("first recovery succeeded", "then recovery failed: it exited with code 1");
    assertThat(((Verdict.Inconclusive) verdict).said())
        .isEqualTo("[first]\nrecovered\n[then]\ninconsistent\n");
  }

  @Test
  void yesThatCannotBeAskedAgainStays() {
    fixture.sample = YesSample.create();
    Path mark = directory.resolve("mark");
    String script = "test -e %1$s && kill -9 $$; touch %1$s".formatted(mark);
    assertThat(fixture.judge(CommandSpec.command("sh", "-c", script)).verdict())
        .isEqualTo(new Verdict.Consistent());
  }

  @Test
  void recoveryThatIsOnlySlowOnceIsInconclusive() {
    Path mark = directory.resolve("mark");
    OracleResult result =
        fixture.judge(
            fixture.recovery("hang-once", mark.toString()).timeLimit(Duration.ofSeconds(1)));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.verdict().describe())
        .contains("with 2 times the time limit, recovery succeeded");
  }

  @Test
  void slowRecoveryGetsMoreTimeWhenAskedAgain() {
    OracleResult result =
        fixture.judge(CommandSpec.command("sleep", "2.3").timeLimit(Duration.ofSeconds(2)));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
  }

  @Test
  void crashThatDoesNotHappenAgainIsInconclusive() {
    Path mark = directory.resolve("mark");
    Verdict verdict = fixture.judge(fixture.recovery("crash-once", mark.toString())).verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(verdict.describe()).contains("SIGSEGV");
  }

  @Test
  void lackOfMemoryIsInconclusive() {
    OracleResult result =
        fixture.judge(
            CommandSpec.command("sh", "-c", "x=x; while :; do x=$x$x; done")
                .memoryLimit(DataSize.ofMebibytes(30)));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.verdict().describe()).contains("memory, its limit was 30MiB");
    assertThat(fixture.copiesMade).hasSize(1);
  }

  @Test
  void lackOfSpaceIsInconclusive() {
    OracleResult result =
        fixture.judge(
            image ->
                List.of(
                    step(
                        CommandSpec.command("sh", "-c", "head -c 100000 /dev/zero > x; exit 1")
                            .workingDirectory(image)
                            .spaceGuard(SpaceGuard.atMost(image, DataSize.ofKibibytes(50))))));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.verdict().describe()).contains("ran out of space");
  }

  @Test
  void programThatIsNotThereIsInconclusive() {
    OracleResult result = fixture.judge(CommandSpec.command("/no/such/recovery"));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.verdict().describe()).contains("/no/such/recovery: No such file");
  }

  @Test
  void killFromOutsideIsInconclusive() {
    OracleResult result = fixture.judge(fixture.recovery("killed"));
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(result.verdict().describe()).contains("SIGKILL, which comes from outside");
  }

  @Test
  void exitCodesOfAShellAreNoSignals() {
    for (int code : new int[] {134, 137, 139}) {
      Verdict verdict = fixture.judge(CommandSpec.command("sh", "-c", "exit " + code)).verdict();
      assertThat(verdict).isInstanceOf(Verdict.Unrecoverable.class);
      assertThat(((Verdict.Unrecoverable) verdict).exitCode()).hasValue(code);
    }
  }

  @Test
  void lostSupervisorIsInconclusive() {
    fixture.supervisor.close();
    assertThat(fixture.judge(fixture.recovery("fine")).verdict().kind())
        .isEqualTo(Verdict.Kind.INCONCLUSIVE);
  }

  @Test
  void imageThatCannotBeCopiedIsInconclusive() {
    RecoveryOracle oracle =
        new RecoveryOracle(
            fixture.supervisor,
            image -> List.of(step(fixture.recovery("fine"))),
            OracleSettings.DEFAULT,
            new LearnedLimits(),
            YesSample.none(),
            directory);
    OracleResult result =
        oracle.judge(
            () -> {
              throw new IOException("No space left on device");
            },
            fixture.evidence);
    assertThat(result.verdict().describe()).contains("No space left on device");
    assertThat(result.verdict().kind()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
  }

  @Test
  void stepsRunInOrderOnOneCopyUntilOneFails() {
    OracleResult result =
        fixture.judge(
            image ->
                List.of(
                    named("recover", image, "cat pool; echo recovered > pool"),
                    named("check", image, "cat pool; exit 3"),
                    named("workload", image, "touch never")));
    assertThat(result.verdict()).isInstanceOf(Verdict.Unrecoverable.class);
    assertThat(result.steps()).extracting(StepResult::name).containsExactly("recover", "check");
    assertThat(result.steps())
        .extracting(StepResult::outputTail)
        .containsExactly("data", "recovered\n");
    assertThat(result.steps().get(1).ending()).isEqualTo(new Ending.Exited(3));
    assertThat(fixture.evidence.resolve("2-check.output")).hasContent("recovered\n");
  }

  private static RecoveryStep named(String name, Path image, String script) {
    return RecoveryStep.command(
        name,
        CommandSpec.command("sh", "-c", script).workingDirectory(image).build(),
        Success.EXIT_ZERO);
  }

  @Test
  void outputDecidesIfItIsAskedFor() throws IOException {
    Success noErrors =
        new Success(
            Set.of(0), Set.of(), Optional.empty(), Optional.of(Pattern.compile("ERROR|lost")));
    RecoveryStep lying =
        RecoveryStep.command(
            "check",
            CommandSpec.command("sh", "-c", "echo 3 objects lost; seq 1 9000").build(),
            noErrors);
    Verdict verdict = fixture.judge(image -> List.of(lying)).verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(verdict.describe()).contains("its output has /ERROR|lost/");
    assertThat(Files.readString(fixture.evidence.resolve("1-check.output")))
        .startsWith("3 objects");
  }

  @Test
  void contentsDecideWhereRecoveryIsSuccessful() throws IOException {
    OutputCheck check =
        result -> {
          try {
            String text = Files.readString(result.outputFile().orElseThrow());
            return text.equals("1\n")
                ? new Verdict.Consistent()
                : new Verdict.WrongContents("it holds " + text.strip(), "-1\n+" + text);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    RecoveryProcedure one = image -> List.of(named("dump", image, "echo 1").checking(check));
    RecoveryProcedure two = image -> List.of(named("dump", image, "echo 2").checking(check));
    RecoveryProcedure failing =
        image -> List.of(named("dump", image, "echo 1; exit 1").checking(check));

    assertThat(fixture.judge(one).verdict()).isEqualTo(new Verdict.Consistent());
    assertThat(fixture.judge(failing).verdict()).isInstanceOf(Verdict.Unrecoverable.class);
    OracleResult wrong = fixture.judge(two);
    assertThat(wrong.verdict()).isEqualTo(new Verdict.WrongContents("it holds 2", "-1\n+2\n"));
    assertThat(wrong.verdict().isFinding()).isTrue();
    assertThat(wrong.evidence().orElseThrow().resolve("1-dump.output")).hasContent("2");
    assertThat(fixture.copiesMade).as("what is wrong is asked for twice").hasSize(5);
  }

  @Test
  void expectedSignalIsConsistent() {
    Success bySignal =
        new Success(Set.of(), Set.of(new Signal(6)), Optional.empty(), Optional.empty());
    RecoveryStep step = RecoveryStep.command("abort", fixture.recovery("abort").build(), bySignal);
    assertThat(fixture.judge(image -> List.of(step)).verdict()).isEqualTo(new Verdict.Consistent());
  }
}
