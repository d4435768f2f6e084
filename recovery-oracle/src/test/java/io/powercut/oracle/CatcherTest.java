// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static io.powercut.oracle.OracleFixture.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Signal;
import io.powercut.process.TestPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("programs")
class CatcherTest {
  private static final Signal SEGV = Signal.parse("SEGV");

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

  private Verdict.Crashed crash(CommandSpec.Builder command) {
    Verdict verdict = fixture.judge(command).verdict();
    assertThat(verdict).isInstanceOf(Verdict.Crashed.class);
    return (Verdict.Crashed) verdict;
  }

  private void assertCrashInFollowPointer(Verdict.Crashed crashed) throws IOException {
    assertThat(crashed.signal()).isEqualTo(SEGV);
    CrashStack stack = crashed.stack();
    assertThat(stack.missing()).isEmpty();
    assertThat(stack.frames())
        .extracting(CrashFrame::function)
        .startsWith("follow_pointer", "recover_tree");
    CrashFrame top = stack.frames().get(0);
    assertThat(top.file().orElseThrow()).endsWith("recovery.c");
    assertThat(top.line()).hasValue(fixture.crashingLine());
    assertThat(top.module()).hasValue(fixture.program.toString());
    assertThat(top.offset().orElseThrow()).isBetween(0x1000L, 0x4000L);
    assertThat(stack.address()).hasValue("0x0");
    assertThat(stack.core()).hasValueSatisfying(core -> assertThat(core).isNotEmptyFile());
    assertThat(crashed.describe())
        .contains("recovery crashed with SIGSEGV in follow_pointer at", "recovery.c:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"crash", "crash-in-thread", "crash-in-child"})
  void stackHasFunctionFileAndLine(String mode) throws IOException {
    assertCrashInFollowPointer(crash(fixture.recovery(mode)));
    assertThat(fixture.copiesMade).hasSize(3);
  }

  @Test
  void crashBehindAShellIsFound() throws IOException {
    assertCrashInFollowPointer(
        crash(CommandSpec.command("sh", "-c", fixture.program + " crash; exit $?")));
  }

  @Test
  void crashThatRecoveryOnlyReportsIsNoCrashOfRecovery() {
    assertThat(fixture.judge(fixture.recovery("crash-in-child-exit")).verdict())
        .isInstanceOf(Verdict.Unrecoverable.class);
  }

  @Test
  void crashThatRecoveryHandlesItselfIsNoCrash() {
    Verdict verdict = fixture.judge(fixture.recovery("crash-handled")).verdict();
    assertThat(verdict).isInstanceOf(Verdict.Unrecoverable.class);
    assertThat(((Verdict.Unrecoverable) verdict).said()).isEqualTo("caught it\n");
  }

  /** Kills the worker when recovery is asked for the third time, under the catcher. */
  @ParameterizedTest
  @ValueSource(strings = {"; exit $?", ""})
  void supervisorLostWhileACrashIsRepeatedIsInconclusive(String more) {
    Path marks = directory.resolve("marks");
    String script =
        "echo >> %s; test $(wc -l < %1$s) -lt 3 || { kill -9 %d; sleep 9; }; %s crash%s"
            .formatted(marks, fixture.supervisor.workerPid(), fixture.program, more);
    Verdict verdict = fixture.judge(CommandSpec.command("sh", "-c", script)).verdict();
    assertThat(verdict.kind()).as(verdict.describe()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(verdict.describe()).contains("its supervisor was lost");
  }

  @Test
  void supervisorLostWhileTheDebuggerPrintsIsInconclusive() throws IOException {
    Path killer =
        TestPrograms.script(
            directory.resolve("killing-gdb"),
            "#!/bin/sh\nkill -9 " + fixture.supervisor.workerPid() + "\nsleep 9\n");
    OracleSettings settings =
        new OracleSettings(
            true, true, killer.toString(), Duration.ofSeconds(20), DataSize.ofMebibytes(1));
    Verdict verdict =
        fixture
            .judge(
                settings,
                image ->
                    List.of(
                        step(CommandSpec.command("sh", "-c", fixture.program + " crash; exit $?"))))
            .verdict();
    assertThat(verdict.kind()).as(verdict.describe()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
  }

  @Test
  void catcherThatIsKilledIsInconclusive() throws IOException {
    Path marks = directory.resolve("marks");
    String script =
        "echo >> %s; test $(wc -l < %1$s) -lt 3 || { kill -9 $PPID; sleep 9; }; %s crash; exit $?"
            .formatted(marks, fixture.program);
    Verdict verdict = fixture.judge(CommandSpec.command("sh", "-c", script)).verdict();
    assertThat(verdict.kind()).as(verdict.describe()).isEqualTo(Verdict.Kind.INCONCLUSIVE);
    assertThat(verdict.describe()).contains("SIGKILL");
  }

  @Test
  void abortHasItsStackToo() {
    Verdict.Crashed crashed = crash(fixture.recovery("abort"));
    assertThat(crashed.signal()).isEqualTo(Signal.parse("ABRT"));
    assertThat(crashed.stack().frames()).extracting(CrashFrame::function).contains("main");
  }

  @Test
  void coreFileCanBeOpened() throws IOException {
    Verdict.Crashed crashed = crash(fixture.recovery("crash"));
    String core = crashed.stack().core().orElseThrow().toString();
    assertThat(
            fixture
                .supervisor
                .run(
                    CommandSpec.command(
                            "gdb", "-nx", "-batch", fixture.program.toString(), core, "-ex", "bt")
                        .build())
                .outputTail())
        .contains(
            "terminated with signal SIGSEGV",
            "follow_pointer",
            "recovery.c:" + fixture.crashingLine());
  }

  @Test
  void stepsBeforeTheCrashRunBeforeItsStackIsTaken() throws IOException {
    OracleResult result =
        fixture.judge(
            image ->
                List.of(
                    step(CommandSpec.command("mv", "pool", "recovered").workingDirectory(image)),
                    step(
                        CommandSpec.command(
                                "sh",
                                "-c",
                                "test -e recovered && exec " + fixture.program + " crash")
                            .workingDirectory(image))));
    assertCrashInFollowPointer((Verdict.Crashed) result.verdict());
  }

  @Test
  void strippedProgramHasModulesAndOffsets() {
    Path stripped = directory.resolve("stripped");
    fixture.supervisor.run(
        CommandSpec.command("strip", "-o", stripped.toString(), fixture.program.toString())
            .build());
    Verdict.Crashed crashed = crash(CommandSpec.command(stripped.toString(), "crash"));
    CrashFrame top = crashed.stack().frames().get(0);
    assertThat(top.function()).isEqualTo("??");
    assertThat(top.file()).isEmpty();
    assertThat(top).asString().startsWith("stripped+0x");
    assertThat(crashed.describe()).contains(" in stripped+0x");
  }

  @Test
  void abortOfStrippedProgramIsAtItsOwnOffset() {
    for (String position : List.of("-pie", "-no-pie")) {
      Path stripped = directory.resolve("stripped" + position);
      fixture.supervisor.run(
          CommandSpec.command(
                  "gcc",
                  "-O0",
                  "-s",
                  position,
                  "-o",
                  stripped.toString(),
                  directory.resolve("recovery.c").toString())
              .build());
      Verdict.Crashed crashed = crash(CommandSpec.command(stripped.toString(), "abort"));
      CrashFrame place = crashed.stack().place().orElseThrow();
      assertThat(place.moduleName()).isEqualTo("stripped" + position);
      assertThat(place.offset().orElseThrow() >>> 20).isEqualTo(position.equals("-pie") ? 0 : 4);
    }
  }

  @Test
  void missingDebuggerIsAdmitted() {
    OracleSettings settings =
        new OracleSettings(
            true, true, "no-such-gdb", Duration.ofSeconds(20), DataSize.ofMebibytes(512));
    Verdict verdict =
        fixture.judge(settings, image -> List.of(step(fixture.recovery("crash")))).verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.CRASHED);
    assertThat(verdict.describe())
        .contains("SIGSEGV, stack unknown", "no-such-gdb: No such file or directory");
  }

  @Test
  void debuggerThatNeverEndsIsEnded() throws IOException {
    Path slow = TestPrograms.script(directory.resolve("slow-gdb"), "#!/bin/sh\nsleep 1000\n");
    OracleSettings settings =
        new OracleSettings(
            true, true, slow.toString(), Duration.ofSeconds(1), DataSize.ofMebibytes(1));
    Verdict verdict =
        fixture
            .judge(
                settings,
                image -> List.of(step(fixture.recovery("crash").timeLimit(Duration.ofSeconds(1)))))
            .verdict();
    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.CRASHED);
    assertThat(verdict.describe()).contains("gdb printed no stack");
  }

  @Test
  void nothingIsLeftInTheFolderWhereItCrashed() throws IOException {
    crash(fixture.recovery("crash"));
    try (Stream<Path> files = Files.list(Path.of(""))) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("core"));
    }
  }
}
