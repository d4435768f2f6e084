// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static io.powercut.oracle.OracleFixture.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.server.FreePort;
import io.powercut.oracle.server.Readiness;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("programs")
@Execution(ExecutionMode.CONCURRENT)
class HangTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration WHOLE = Duration.ofSeconds(3);

  @TempDir Path directory;
  private OracleFixture fixture;

  @BeforeEach
  void start() throws IOException {
    fixture = new OracleFixture(directory);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(fixture.copiesMade).allSatisfy(copy -> assertThat(copy).doesNotExist());
    assertThat(processesOf(fixture.program)).isZero();
    fixture.close();
  }

  private static long processesOf(Path program) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").equals(program.toString()))
        .count();
  }

  private Verdict.Hung hung(CommandSpec.Builder command) {
    Verdict verdict = fixture.judge(command).verdict();
    assertThat(verdict).as(verdict.describe()).isInstanceOf(Verdict.Hung.class);
    return (Verdict.Hung) verdict;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring", "ring-without-signals", "ring-in-thread", "ring-in-child"})
  void stackHasTheFunctionThatDoesNotEnd(String mode) {
    Verdict.Hung hung = hung(fixture.recovery(mode).timeLimit(SHORT));

    assertThat(hung.stack().missing()).isEmpty();
    CrashFrame place = hung.stack().place().orElseThrow();
    assertThat(place.function()).isEqualTo("follow_ring");
    assertThat(place.file().orElseThrow()).endsWith("recovery.c");
    assertThat(hung.stack().core()).isEmpty();
    assertThat(hung.describe()).contains("recovery hung in follow_ring", "300ms");
    assertThat(fixture.copiesMade).hasSize(2);
  }

  @Test
  void hangBehindAShellIsFound() {
    Verdict.Hung hung =
        hung(CommandSpec.command("sh", "-c", fixture.program + " ring; exit $?").timeLimit(SHORT));
    assertThat(hung.stack().place().orElseThrow().function()).isEqualTo("follow_ring");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stops-itself", "forks-for-ever", "hang"})
  void whatDoesNotComputeHasAStackToo(String mode) {
    Verdict.Hung hung = hung(fixture.recovery(mode).timeLimit(SHORT));
    assertThat(hung.stack().frames()).extracting(CrashFrame::function).contains("main");
  }

  @Test
  void serverThatDoesNotGetReadyHasAStack() {
    int port = FreePort.find();
    RecoveryStep server =
        RecoveryStep.server(
            "server",
            fixture.recovery("server-follows-ring", Integer.toString(port)).build(),
            ServerPlan.of(
                new Readiness.FileExists(directory.resolve("never")),
                SHORT,
                CommandSpec.command("true").build()));
    Verdict verdict = fixture.judge(image -> List.of(server)).verdict();
    assertThat(verdict).isInstanceOf(Verdict.Hung.class);
    assertThat(((Verdict.Hung) verdict).stack().place().orElseThrow().function())
        .isEqualTo("follow_ring");
  }

  @Test
  void hangWithoutADebuggerSaysSo() {
    OracleSettings settings =
        new OracleSettings(
            true, true, "no-such-gdb", Duration.ofSeconds(60), DataSize.ofMebibytes(1));
    Verdict verdict =
        fixture
            .judge(settings, image -> List.of(step(fixture.recovery("ring").timeLimit(SHORT))))
            .verdict();
    assertThat(verdict).isInstanceOf(Verdict.Hung.class);
    assertThat(verdict.describe()).contains("gdb could not be started", "no-such-gdb");
  }

  private void succeed(int times) {
    for (int time = 0; time < times; time++) {
      assertThat(fixture.judge(fixture.recovery("fine").timeLimit(WHOLE)).verdict())
          .isEqualTo(new Verdict.Consistent());
    }
  }

  /** Successes of a fixed time: what a busy machine takes for real ones would make long limits. */
  private void learnThatItIsFast() {
    StepResult fast =
        new StepResult(
            "recovery",
            new Ending.Exited(0),
            "",
            Duration.ofMillis(10),
            Duration.ofMillis(2),
            DataSize.ofMebibytes(1));
    for (int time = 0; time < 5; time++) {
      fixture.limits.succeeded(List.of(fast));
    }
  }

  @Test
  void knownPlaceGetsLessTime() {
    learnThatItIsFast();

    Verdict.Hung first = hung(fixture.recovery("ring").timeLimit(WHOLE));
    assertThat(first.limit())
        .as("a place is known once it had the whole time")
        .isGreaterThan(WHOLE);
    assertThat(first.describe()).doesNotContain("another image");

    Verdict.Hung second = hung(fixture.recovery("ring").timeLimit(WHOLE));
    assertThat(second.limit()).isLessThan(Duration.ofSeconds(1));
    assertThat(second.describe()).contains(" ms of processor time, at a place where");
    assertThat(second.stack().place().orElseThrow().function()).isEqualTo("follow_ring");
    assertThat(second.describe()).contains("another image hung for the whole", "succeeds within");

    Verdict.Hung elsewhere = hung(fixture.recovery("lock").timeLimit(WHOLE));
    assertThat(elsewhere.limit()).isGreaterThan(WHOLE);
    assertThat(elsewhere.describe()).contains("wait_for_lock");
  }

  /** It uses no processor time. */
  @Test
  void knownPlaceThatWaitsGetsASecond() {
    learnThatItIsFast();
    hung(fixture.recovery("hang").timeLimit(WHOLE));
    assertThat(hung(fixture.recovery("hang").timeLimit(WHOLE)).limit())
        .isBetween(Duration.ofSeconds(1), WHOLE);
  }

  @Test
  void recoveryThatWorksForLongIsConsistentAlthoughTheOthersWereFast() {
    learnThatItIsFast();
    hung(fixture.recovery("ring").timeLimit(WHOLE));

    CommandSpec.Builder slow =
        CommandSpec.command("sh", "-c", "i=0; while [ $i -lt 1500000 ]; do i=$((i + 1)); done")
            .timeLimit(Duration.ofSeconds(60));
    assertThat(fixture.judge(slow).verdict()).isEqualTo(new Verdict.Consistent());
  }

  @Test
  void tooFewSuccessesTeachNothing() {
    succeed(4);
    assertThat(fixture.limits.longest(0)).isEmpty();
    succeed(1);
    assertThat(fixture.limits.longest(0)).isPresent();
  }

  @Test
  void slowRecoveryIsConsistentAlthoughTheOthersWereFast() {
    learnThatItIsFast();

    CommandSpec.Builder slow = CommandSpec.command("sleep", "1.4").timeLimit(WHOLE);
    assertThat(fixture.judge(slow).verdict()).isEqualTo(new Verdict.Consistent());
    assertThat(fixture.limits.longest(0).orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void recoveryThatHangsOnceInShortTimeIsConsistent() {
    learnThatItIsFast();
    Path mark = directory.resolve("mark");

    OracleResult result =
        fixture.judge(fixture.recovery("ring-once", mark.toString()).timeLimit(WHOLE));
    assertThat(result.verdict()).isEqualTo(new Verdict.Consistent());
  }

  @Test
  void slowFailureIsAskedTwiceWithItsWholeTime() {
    learnThatItIsFast();

    OracleResult result =
        fixture.judge(CommandSpec.command("sh", "-c", "sleep 1.4; exit 3").timeLimit(WHOLE));
    assertThat(result.verdict().describe()).contains("recovery failed", "code 3");
  }
}
