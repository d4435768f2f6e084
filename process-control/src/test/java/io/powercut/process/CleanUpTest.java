// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a command started may outlive it, or us. */
@Tag("programs")
class CleanUpTest {
  @TempDir static Path directory;
  private static Path hostile;
  private Supervisor supervisor;

  @BeforeAll
  static void compile() {
    hostile = TestPrograms.compile(CleanUpTest.class, "hostile.c", directory);
  }

  @BeforeEach
  void start() {
    supervisor = Supervisor.start();
  }

  @AfterEach
  void close() {
    supervisor.close();
  }

  @Test
  void daemonIsGoneWithTheCommandThatStartedIt() {
    CommandResult result = supervisor.run(TestPrograms.marked("daemon", hostile, "daemon").build());
    assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    assertThat(result.leftovers()).isEqualTo(1);
    assertThat(TestPrograms.alive("daemon")).isEmpty();
  }

  @Test
  void manyChildrenAreGoneWithTheirParent() {
    CommandResult result =
        supervisor.run(TestPrograms.marked("many", hostile, "children", "200").build());
    assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    assertThat(result.leftovers()).isEqualTo(200);
    assertThat(TestPrograms.alive("many")).isEmpty();
  }

  @Test
  void commandThatRunsFromProcessToProcessIsCaught() {
    CommandResult result = supervisor.run(TestPrograms.marked("runner", hostile, "runner").build());
    assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    assertThat(TestPrograms.alive("runner")).isEmpty();
    assertThat(supervisor.run(CommandSpec.command("true").build()).isSuccess()).isTrue();
  }

  @Test
  void leftoversOfOneCommandAreNotCountedForTheNext() {
    supervisor.run(TestPrograms.marked("first", hostile, "children", "5").build());
    assertThat(supervisor.run(CommandSpec.command("true").build()).leftovers()).isZero();
  }

  @Test
  void closingEndsWhatRuns() {
    RunningCommand command =
        supervisor.start(TestPrograms.marked("closed", hostile, "children-and-hang", "3").build());
    await().until(() -> command.outputTail().contains("ready"));
    CompletableFuture<CommandResult> waiting = CompletableFuture.supplyAsync(command::await);
    supervisor.close();
    assertThat(TestPrograms.alive("closed")).isEmpty();
    assertThat(waiting.join().ending()).isEqualTo(new Ending.SupervisorLost("it was closed"));
    assertThat(supervisor.isLost()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker", "guardian"})
  void killingHalfOfTheSupervisorLeavesNothing(String half)
      throws IOException, InterruptedException {
    RunningCommand command =
        supervisor.start(TestPrograms.marked(half, hostile, "children-and-hang", "3").build());
    await().until(() -> command.outputTail().contains("ready"));
    long victim = half.equals("worker") ? supervisor.workerPid() : supervisor.guardianPid();
    assertThat(new ProcessBuilder("kill", "-9", Long.toString(victim)).start().waitFor()).isZero();

    assertThat(command.await().ending()).isInstanceOf(Ending.SupervisorLost.class);
    await().atMost(Duration.ofSeconds(60)).until(() -> TestPrograms.alive(half).isEmpty());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !ProcessHandle.of(supervisor.workerPid()).isPresent());
    assertThat(supervisor.run(CommandSpec.command("true").build()).ending())
        .isInstanceOf(Ending.SupervisorLost.class);
  }

  @Test
  void supervisorThatIsKilledAtItsStartIsToldInOneSentence() throws IOException {
    Path killed = TestPrograms.script(directory.resolve("killed"), "#!/bin/sh\nkill -9 $$\n");
    assertThatThrownBy(() -> Supervisor.start(killed))
        .isInstanceOf(SupervisorNotStartedException.class)
        .hasMessage(killed + " ended at once: it ended with code 137");
    Path complaining =
        TestPrograms.script(directory.resolve("complaining"), "#!/bin/sh\necho no room >&2\n");
    assertThatThrownBy(() -> Supervisor.start(complaining)).hasMessageContaining("no room");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop-parent", "stop-both-parents"})
  void commandThatStopsItsSupervisorIsEndedWithIt(String habit) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          CommandResult result = supervisor.run(TestPrograms.marked(habit, hostile, habit).build());
          assertThat(result.ending()).isInstanceOf(Ending.SupervisorLost.class);
          assertThat(result.ending().describe()).contains("stopped");
        });
    await().atMost(Duration.ofSeconds(60)).until(() -> TestPrograms.alive(habit).isEmpty());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !ProcessHandle.of(supervisor.guardianPid()).isPresent());
    assertThat(supervisor.isLost()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "INT", "TERM", "HUP"})
  void endOfTheJvmEndsAllThatItStarted(String signal) throws IOException, InterruptedException {
    String mark = "jvm-" + signal;
    ProcessBuilder java =
        new ProcessBuilder(
                // A job in the background ignores SIGINT, and its children would, too.
                "env",
                "--default-signal",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dpowercut.home=" + PowercutHome.find(),
                StartAndWait.class.getName(),
                hostile.toString(),
                mark)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectErrorStream(true);
    // The supervisor inherits it, so that it is looked for too.
    java.environment().put("POWERCUT_TEST_JVM", mark);
    Process jvm = java.start();
    try {
      await().atMost(Duration.ofMinutes(2)).until(() -> TestPrograms.alive(mark).size() == 4);
      new ProcessBuilder("kill", "-" + signal, Long.toString(jvm.pid())).start().waitFor();
      assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
      await().atMost(Duration.ofSeconds(60)).until(() -> TestPrograms.alive(mark).isEmpty());
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> TestPrograms.alive("POWERCUT_TEST_JVM", mark).isEmpty());
    } finally {
      jvm.destroyForcibly();
    }
  }
}
