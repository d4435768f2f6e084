// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.sections.InjectionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets that misbehave: what powercut says of them, and that nothing of them stays behind. */
@Tag("campaign")
class HostileTargetTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;
  private static Path extremes;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/target.c");
    extremes = workbench.compile("programs/extremes.c");
  }

  private static Path campaign(List<String> target) {
    return workbench.write(
        "hostile.yaml",
        """
        name: hostile
        pm: {limit: 4MiB}
        environment: {POWERCUT_TEST: "{pm}"}
        target: {command: %s, timeout: 20s}
        recovery: {command: [%s, check, "{pm}"], timeout: 10s}
        """
            .formatted(quoted(target), program));
  }

  private static List<String> quoted(List<String> command) {
    return command.stream().map(argument -> '"' + argument + '"').toList();
  }

  private static Workbench.Said run(String habit, String... more) {
    Path marker = workbench.directory().resolve("executed-" + habit);
    List<String> target = List.of(program.toString(), habit, "{pm}", marker.toString());
    return workbench.runCampaign(campaign(target), more);
  }

  private static Workbench.Said goTo(String extreme, int number) {
    List<String> target = List.of(extremes.toString(), extreme, "{pm}", Integer.toString(number));
    return workbench.runCampaign(
        campaign(target),
        "--set",
        "occurrences.first=1",
        "--set",
        "pm.limit=null",
        "--set",
        "target.timeout=2m");
  }

  @ParameterizedTest
  @CsvSource({"frames,50000,1", "threads,1000,1000", "offset,40,1"})
  void extremesShouldBeRecorded(String extreme, int number, int reached) {
    Workbench.Said said = goTo(extreme, number);

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .contains("failure points  1 unique, reached %d times, 1 injected".formatted(reached));
  }

  @Test
  void offsetBeyondWhatATraceCanNumberShouldBeCalledALimitOfPowercut() {
    Workbench.Said said = goTo("offset", 48);

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("256 TiB", "the limit is Powercut's");
  }

  @Test
  void targetWithoutBadHabitsShouldBeHealthy() {
    Workbench.Said said = run("none");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("3 unique", "3 consistent, 0 unrecoverable");
  }

  @Test
  void targetThatHangsShouldBeStoppedAtItsTimeLimit() {
    Workbench.Said said = run("hang", "--set", "target.timeout=2s");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("without any crash", "2s", "target.timeout");
  }

  @Test
  void targetThatIgnoresSignalsShouldBeStoppedAtItsTimeLimit() {
    Workbench.Said said = run("ignore-sigterm", "--set", "target.timeout=2s");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("without any crash", "2s", "target.timeout");
  }

  @Test
  void targetThatHangsOnlyWhenRunAgainShouldMakeTheRunIncomplete() {
    Workbench.Said said =
        run("hang-later", "--set", "injection=re-executed", "--set", "target.timeout=5s");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output())
        .contains("2 inconclusive", "not judged", "not reached again", "time limit");
  }

  @Test
  void runWhoseTimeIsUpBeforeItsTargetEndsShouldBeIncomplete() {
    Workbench.Said said = run("hang", "--set", "injection=recorded", "--set", "limits.time=4s");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output()).contains("0 unrecoverable", "incomplete");
  }

  @Test
  void daemonShouldEndWithItsExecution() {
    Workbench.Said said = run("daemon", "--set", "injection=re-executed");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("3 consistent");
  }

  @Test
  void endlessOutputShouldBeBoundedAndEndAtTheTimeLimit() throws IOException {
    Workbench.Said said = run("print-for-ever", "--set", "target.timeout=2s");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("2s", "still here, and with a lot to say")
        .hasSizeLessThan(20_000);
    assertThat(sizeOf(latest())).isLessThan(2 << 20);
  }

  @Test
  void muchOutputShouldDoNoHarm() throws IOException {
    Workbench.Said said = run("print-much", "--set", "limits.output=64KiB");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(sizeOf(latest())).isLessThan(2 << 20);
  }

  @Test
  void targetThatFillsTheDiskShouldBeStoppedAtTheCampaignsLimit() {
    Workbench.Said said = run("fill-disk");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("4MiB", "pm.limit");
  }

  @ParameterizedTest
  @EnumSource
  void recoveryThatFillsTheDiskShouldBeNoBug(InjectionMode injection) {
    Workbench.Said said =
        run(
            "none",
            "--set",
            "injection=" + injection,
            "--set",
            "recovery.command=[%s, check-greedily, \"{pm}\"]".formatted(program));

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output())
        .contains("1 consistent, 0 unrecoverable, 0 crashed, 0 hung, 2 inconclusive")
        .contains("could not be judged", "4MiB");
  }

  @ParameterizedTest
  @CsvSource({
    "recorded, scribble",
    "recorded, grow",
    "recorded, shrink",
    "recorded, delete",
    "re-executed, scribble",
    "re-executed, delete"
  })
  void recoveryThatSpoilsItsImageShouldNotDisturbTheNext(String injection, String how) {
    Workbench.Said said =
        run(
            "none",
            "--set",
            "injection=" + injection,
            "--set",
            "limits.parallel=1",
            "--set",
            "oracle.controls=false", // there is no file before the first execution
            "--set",
            "recovery.command=[%s, check-and-%s, \"{pm}\"]".formatted(program, how));

    assertThat(said.exitCode()).as(said.errors() + said.output()).isZero();
    assertThat(said.output()).contains("3 consistent, 0 unrecoverable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir -p {pm}/a/b && touch {pm}/a/b/f && chmod 0 {pm}/a/b {pm}/a",
        "mkdir -p {run}/a/b && chmod 0 {run}/a && mkfifo {run}/fifo {pm}/fifo",
        "touch {pm}/$(printf '\\377\\376') {run}/$(printf '\\344')",
        "rm -r {pm} && echo > {pm}",
        "rm -r {run} && echo > {run}",
        "rm -r {pm} && ln -s / {pm}",
        "rm -r $(dirname {pm}) && echo > $(dirname {pm})",
        "chmod 0 $(dirname {pm})",
        "cd {pm}; python3 -c 'import os; [(os.mkdir(\"d\"), os.chdir(\"d\")) for _ in range(2100)]'",
      })
  void whatRecoveryLeavesShouldBeRemoved(String habit) {
    Path script =
        workbench.write(
            "leave",
            "#!/bin/sh\n"
                + program
                + " check \"$1\" || exit 1\n"
                + habit.replace("{pm}", "\"$1\"").replace("{run}", "\"$2\"")
                + "\nexit 0\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    for (String injection : List.of("recorded", "re-executed")) {
      Workbench.Said said =
          run(
              "none",
              "--set",
              "injection=" + injection,
              "--set",
              "limits.parallel=1",
              "--set",
              "recovery.command=[%s, \"{pm}\", \"{run}\"]".formatted(script));

      assertThat(said.exitCode()).as(said.errors() + said.output()).isZero();
      assertThat(said.output()).contains("3 consistent, 0 unrecoverable");
      assertThat(workbench.filesLeft()).isEmpty();
    }
  }

  /** Set-up leaves its own directory's name, by a link or as a text, and what finds it follows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ln -s {pm}/real {pm}/link; echo whole > {pm}/real | echo torn > {pm}/link",
        "echo whole > {pm}/real; echo {pm}/real > {pm}/set | echo torn > $(cat {pm}/set)",
        "echo whole > {pm}/real; echo {pm}/real > {pm}/set | grep whole $(cat {pm}/set)",
        "ln -s {pm}/real {pm}/link; echo whole > {pm}/real | test -s {pm}/link",
        "echo {pm}/real > {pm}/set | ! test -e $(cat {pm}/set)",
        "echo whole > {pm}/real; echo {pm}/real > {pm}/set | test -r $(cat {pm}/set)",
        "echo $(dirname $(dirname {pm}))/gone/pm/real > {pm}/set | ! test -e $(cat {pm}/set)",
      })
  void absolutePathInTheImageShouldBeToldAndTheBaseBeProtected(String habits) {
    String[] parts = habits.split(" \\| ");
    Workbench.Said said =
        run(
            "none",
            "--set",
            "setup.command=" + quoted(List.of("sh", "-c", parts[0])),
            "--set",
            "recovery.command=" + quoted(List.of("sh", "-c", parts[1])));

    assertThat(said.exitCode()).as(said.errors() + said.output()).isEqualTo(3);
    assertThat(said.errors())
        .contains("/pm/real, which belongs to another execution", "absolute path", "relative")
        .containsOnlyOnce("belongs to another execution");
  }

  @Test
  void absolutePathThatOnlyTheTargetLeavesShouldBeToldAtTheCleanExit() {
    Path script =
        workbench.write(
            "linking",
            "#!/bin/sh\nln -sf \"$1/data\" \"$1/link\"\nexec " + program + " none \"$1\"\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Workbench.Said said =
        workbench.runCampaign(
            campaign(List.of(script.toString(), "{pm}")),
            "--set",
            "recovery.command="
                + quoted(List.of("sh", "-c", "! test -L {pm}/link || cat {pm}/link > /dev/null")));

    assertThat(said.exitCode()).as(said.errors() + said.output()).isEqualTo(3);
    assertThat(said.errors()).contains("belongs to another execution");
  }

  @Test
  void signalThatEndsTheTargetShouldBeNamed() {
    Workbench.Said said = run("segfault");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("without any crash", "SIGSEGV");
  }

  @ParameterizedTest
  @CsvSource({"segfault,SIGSEGV", "abort,SIGABRT", "segfault-in-child,exited with code 1"})
  void stackAndLastWordsOfATargetThatDiesShouldBeTold(String habit, String ending) {
    Workbench.Said said = run(habit);

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("without any crash", ending + ", here:\n")
        .containsPattern("#\\d+ +main \\(target\\.c:\\d+\\)\nIt printed:\n")
        .contains("my last words")
        .doesNotContain("main-stacksize", "   at 0x");
  }

  @Test
  void targetThatIsKilledShouldBeReportedWithItsLastWords() {
    Workbench.Said said = run("kill");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("without any crash", "SIGKILL", "my last words")
        .doesNotContain("here:");
  }

  @Test
  void exitCodeAndLastWordsOfTheTargetShouldBeTold() {
    Workbench.Said said = run("exit-early");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains(
            "without any crash", "exited with code 7", "this is not my day", "target.success");
  }

  @Test
  void targetWithoutPersistentMemoryShouldBeToldWhatIsMissing() {
    Workbench.Said said = run("no-pm");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("maps no persistent memory", "{pm}", "names a file there");
  }

  @Test
  void daemonThatIsKilledBeforeItUsesPersistentMemoryShouldBeTold() {
    Workbench.Said said = run("no-pm-before-its-end");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("a process of the target was killed", "a daemon has to stay in the foreground");
  }

  @Test
  void targetThatIsNotThereShouldBeNamed() {
    Workbench.Said said = workbench.runCampaign(campaign(List.of("./missing-program", "{pm}")));

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("missing-program", "No such file");
  }

  @Test
  void targetThatIsNotOnThePathShouldBeNamed() {
    Workbench.Said said = workbench.runCampaign(campaign(List.of("missing-program", "{pm}")));

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("missing-program", "PATH");
  }

  @Test
  void targetThatIsNotExecutableShouldBeNamed() {
    Path file = workbench.write("not-executable", "#!/bin/sh\n");
    Workbench.Said said = workbench.runCampaign(campaign(List.of(file.toString(), "{pm}")));

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("not-executable", "Permission denied", "chmod +x");
  }

  @Test
  void scriptThatStartsTheProgramShouldWork() throws IOException {
    Path script = workbench.write("start", "#!/bin/sh\n%s none \"$1\"\n".formatted(program));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String injection : List.of("re-executed", "recorded")) {
      Workbench.Said said =
          workbench.runCampaign(
              campaign(List.of(script.toString(), "{pm}")), "--set", "injection=" + injection);

      assertThat(said.exitCode()).as(said.errors()).isZero();
      assertThat(said.output()).contains("3 unique", "3 consistent");
    }
  }

  @Test
  void leafThatIsNotReachedAgainShouldBeInconclusive() {
    Workbench.Said said = run("whimsical", "--set", "injection=re-executed");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(4);
    assertThat(said.output())
        .contains("2 consistent", "1 inconclusive", "1: not reached again", "incomplete");
  }

  private static String recovery(String habit) {
    return "recovery.command=[%s, %s, \"{pm}\"]".formatted(program, habit);
  }

  @Test
  void targetThatTestsNothingShouldNotBeGreen() {
    for (String injection : List.of("recorded", "re-executed")) {
      Workbench.Said said = run("store-nothing", "--set", "injection=" + injection);

      assertThat(said.exitCode()).as(said.output()).isEqualTo(3);
      assertThat(said.errors())
          .contains("nothing was tested: the target stored nothing", "Its standard input is empty");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "begin, secnod, 'has that name (inlined functions do not count); did you mean second?'",
    "end, secnod, 'has that name (inlined functions do not count); did you mean second?'",
    "begin, follow, 'failurePoints.begin is follow, which this run did not call'",
  })
  void boundThatIsNoFunctionShouldBeToldApart(String key, String function, String reason) {
    Workbench.Said said = run("none", "--set", "failurePoints.%s=%s".formatted(key, function));

    assertThat(said.exitCode()).as(said.output()).isEqualTo(3);
    assertThat(said.errors()).contains("nothing was tested: ", reason);
  }

  @Test
  void endThatIsNotReachedShouldBeNoError() {
    Workbench.Said said =
        run("none", "--set", "failurePoints.end=follow", "--set", "failurePoints.begin=seco*");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("2 consistent");
  }

  @Test
  void writesOutsideShouldBeTold() {
    Path file = workbench.directory().resolve("executed-write-outside");
    Workbench.Said said = run("write-outside");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output())
        .contains(
            "also wrote 3 times to " + file + ", outside {pm}: not part of the crash",
            "also wrote 2 times to " + file + "-mapped, outside {pm}: not part of the crash")
        .doesNotContain(file + "-log");
    assertThat(run("none").output()).doesNotContain("outside {pm}");
  }

  @Test
  void oracleThatAcceptsEverythingShouldBeCalledBlind() {
    Workbench.Said blind = run("none");
    Workbench.Said strict = run("none", "--set", recovery("check-strictly"));
    Workbench.Said unasked = run("none", "--set", "oracle.controls=false");

    assertThat(blind.exitCode()).isZero();
    assertThat(blind.output()).contains("damaged images: it may be blind; see powercut strength");
    assertThat(strict.output()).doesNotContain("blind");
    assertThat(unasked.output()).doesNotContain("blind");
  }

  @ParameterizedTest
  @EnumSource
  void failedControlOfTheCleanExitShouldEndTheRunAtOnce(InjectionMode injection) {
    Workbench.Said said =
        run("none", "--set", "injection=" + injection, "--set", recovery("check-at-the-end"));

    assertThat(said.exitCode()).as(said.output()).isEqualTo(3);
    assertThat(said.errors()).contains("failed its control", "the state after a clean exit");
  }

  @Test
  void failedControlShouldNotWaitForRecoveriesThatHang() {
    Instant begin = Instant.now();
    Workbench.Said said =
        run("none", "--set", recovery("check-and-hang-or-refuse"), "--set", "recovery.timeout=60s");

    assertThat(said.exitCode()).as(said.output()).isEqualTo(3);
    assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(50));
  }

  @Test
  void hangsAtOnePlaceShouldHaveItsStackAndCostItsLimitOnce() {
    Workbench.Said said =
        run("none", "--set", recovery("check-and-hang"), "--set", "recovery.timeout=1s");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("recovery hung in follow", "follow at ", "target.c:");
  }

  @Test
  void bugThatFailsNoRunShouldStillBeABug() {
    Workbench.Said said =
        run(
            "none",
            "--set",
            recovery("check-and-hang"),
            "--set",
            "recovery.timeout=1s",
            "--set",
            "failOn=[]");

    assertThat(said.exitCode()).as(said.errors()).isZero();
    assertThat(said.output()).contains("not selected by failOn").doesNotContain("no bug was found");
  }

  /** The directories of other tests' runs lie beside it. */
  private static Path latest() throws IOException {
    return workbench.runs().resolve("hostile/latest").toRealPath();
  }

  private static long sizeOf(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
