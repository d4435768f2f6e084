// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndingTest {
  @TempDir static Path directory;
  private static Supervisor supervisor;

  @BeforeAll
  static void start() {
    TestPrograms.compile(EndingTest.class, "hostile.c", directory);
    supervisor = Supervisor.start();
  }

  @AfterAll
  static void close() {
    supervisor.close();
  }

  private static CommandResult run(String... arguments) {
    return supervisor.run(
        CommandSpec.command(arguments)
            .workingDirectory(directory)
            .timeLimit(Duration.ofSeconds(10))
            .build());
  }

  private static String whyNotStarted(String... arguments) {
    Ending ending = run(arguments).ending();
    assertThat(ending).isInstanceOf(Ending.NotStarted.class);
    return ending.describe();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 126, 127, 134, 137, 139, 255})
  void exitCodesAreTakenAsTheyAre(int code) {
    assertThat(run("./hostile", "exit", Integer.toString(code)).ending())
        .isEqualTo(new Ending.Exited(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6, 8, 9, 11, 13, 15, 34})
  void signalsAreSignals(int signal) {
    assertThat(run("./hostile", "raise", Integer.toString(signal)).ending())
        .isEqualTo(new Ending.Signalled(new Signal(signal)));
  }

  @Test
  void shellThatTellsOfASignalExited() {
    assertThat(run("sh", "-c", "./hostile raise 11; exit $?").ending())
        .isEqualTo(new Ending.Exited(139));
  }

  @Test
  void crashLeavesNoCoreFile() {
    run("./hostile", "raise", "11");
    assertThat(directory.toFile().list()).noneMatch(name -> name.startsWith("core"));
  }

  @Test
  void programThatIsNotThereIsNotStarted() {
    assertThat(whyNotStarted("./nothing")).contains("nothing", "No such file or directory");
    assertThat(whyNotStarted("powercut-no-such-program"))
        .contains("\"powercut-no-such-program\" on the PATH");
  }

  @Test
  void programThatIsNotExecutableIsNotStarted() throws IOException {
    Files.writeString(directory.resolve("plain"), "text");
    assertThat(whyNotStarted("./plain")).contains("plain is not executable", "chmod +x");
  }

  @Test
  void directoryIsNotStarted() {
    assertThat(whyNotStarted(directory.toString())).contains("is a directory");
  }

  @Test
  void scriptRunsIfItSaysByWhat() throws IOException {
    TestPrograms.script(directory.resolve("script"), "#!/bin/sh\nexit 5\n");
    assertThat(run("./script").ending()).isEqualTo(new Ending.Exited(5));
  }

  @Test
  void scriptThatDoesNotSayByWhatIsNotStarted() throws IOException {
    TestPrograms.script(directory.resolve("bare"), "exit 5\n");
    assertThat(whyNotStarted("./bare")).contains("Exec format error", "#!/bin/sh");
    assertThat(
            supervisor
                .run(CommandSpec.command("bare").environment("PATH", directory.toString()).build())
                .ending())
        .isInstanceOf(Ending.NotStarted.class);
  }

  @Test
  void scriptWhoseInterpreterIsMissingIsNotStarted() throws IOException {
    TestPrograms.script(directory.resolve("orphan"), "#!/no/such/shell\n");
    assertThat(whyNotStarted("./orphan")).contains("interpreter");
  }

  @Test
  void missingWorkingDirectoryIsNamed() {
    CommandSpec command =
        CommandSpec.command("true").workingDirectory(Path.of("/no/such/place")).build();
    assertThat(supervisor.run(command).ending().describe())
        .contains("working directory /no/such/place: No such file");
  }

  @Test
  void outputFileThatCannotBeWrittenIsNamed() {
    CommandSpec command =
        CommandSpec.command("true").outputFile(Path.of("/no/such/place/out")).build();
    assertThat(supervisor.run(command).ending().describe())
        .contains("output file /no/such/place/out: No such file");
  }

  @Test
  void environmentIsAddedToOursAndReplacesIt() {
    CommandSpec command =
        CommandSpec.command("sh", "-c", "echo $NEW,$HOME,${PATH:+path}")
            .environment("NEW", "a b=c")
            .environment("HOME", "/elsewhere")
            .build();
    assertThat(supervisor.run(command).outputTail()).isEqualTo("a b=c,/elsewhere,path\n");
  }

  @Test
  void runsInItsWorkingDirectoryWithNothingOnItsInput() {
    String script = "pwd -P; cat; readlink /proc/$$/fd/0; test -e /proc/$$/fd/3 && echo leak";
    assertThat(run("sh", "-c", script).outputTail())
        .isEqualTo(directory.toAbsolutePath() + "\n/dev/null\n");
  }

  @Test
  void argumentsArePassedUntouched() {
    assertThat(run("printf", "%s|", "", "a b", "$HOME", "ä€", "*").outputTail())
        .isEqualTo("|a b|$HOME|ä€|*|");
  }

  @Test
  void programIsLookedUpOnItsOwnPath() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("bin"));
    TestPrograms.script(elsewhere.resolve("own-tool"), "#!/bin/sh\nexit 9\n");
    CommandSpec command =
        CommandSpec.command("own-tool").environment("PATH", "/bin:" + elsewhere).build();
    assertThat(supervisor.run(command).ending()).isEqualTo(new Ending.Exited(9));
  }

  @Test
  void addressesAreFixedForTheCommandAloneAndOnlyOnRequest() throws IOException {
    CommandSpec.Builder command =
        CommandSpec.command("./hostile", "address").workingDirectory(directory);
    CommandSpec fixed = command.addressSpaceRandomised(false).build();
    CommandSpec random = command.addressSpaceRandomised(true).build();
    String before = Files.readString(Path.of("/proc/self/personality"));

    String one = supervisor.run(fixed).outputTail();
    assertThat(supervisor.run(fixed).outputTail()).isEqualTo(one).isNotBlank();
    assertThat(supervisor.run(random).outputTail()).isNotEqualTo(one);
    assertThat(supervisor.run(random).outputTail())
        .isNotEqualTo(supervisor.run(random).outputTail());
    assertThat(Files.readString(Path.of("/proc/self/personality"))).isEqualTo(before);
  }

  @Test
  void addressesVaryWhereTheyCannotBeFixed() throws IOException {
    assertThat(supervisor.canFixAddresses()).isTrue();
    Path strict =
        TestPrograms.compile(
            directory,
            "strict.c",
            """
            #include <errno.h>
            #include <linux/filter.h>
            #include <linux/seccomp.h>
            #include <stddef.h>
            #include <sys/prctl.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int main(void) { // as the profiles of containers do
              struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 1),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
              struct sock_fprog program = {4, filter};
              prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
              if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
                return 1;
              execl("%1$s", "%1$s", (char *)0);
              return 1;
            }
            """
                .formatted(PowercutHome.nativeProgram("powercut-supervisor")));
    CommandSpec command =
        CommandSpec.command("./hostile", "address")
            .workingDirectory(directory)
            .addressSpaceRandomised(false)
            .build();

    try (Supervisor contained = Supervisor.start(strict)) {
      assertThat(contained.canFixAddresses()).isFalse();
      CommandResult one = contained.run(command);
      assertThat(one.ending()).isEqualTo(new Ending.Exited(0));
      assertThat(contained.run(command).outputTail()).isNotEqualTo(one.outputTail());
    }
  }

  @Test
  void timesAndMemoryAreMeasured() {
    CommandResult result = run("./hostile", "memory", "64");
    assertThat(result.wallTime()).isBetween(Duration.ofMillis(64), Duration.ofSeconds(10));
    assertThat(result.cpuTime()).isPositive().isLessThan(result.wallTime());
    assertThat(result.peakMemory()).isBetween(DataSize.ofMebibytes(64), DataSize.ofMebibytes(80));
  }
}
