// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningCommandTest {
  @TempDir static Path directory;
  private static Path hostile;
  private static Supervisor supervisor;

  @BeforeAll
  static void start() {
    hostile = TestPrograms.compile(RunningCommandTest.class, "hostile.c", directory);
    supervisor = Supervisor.start();
  }

  @AfterAll
  static void close() {
    supervisor.close();
  }

  private static RunningCommand startUntilReady(String mode) {
    RunningCommand command = supervisor.start(TestPrograms.marked(mode, hostile, mode).build());
    await().until(() -> command.outputTail().contains("ready"));
    return command;
  }

  @Test
  void tellsItsProcessAndWhetherItRuns() {
    RunningCommand command = startUntilReady("ignore-term");
    assertThat(TestPrograms.alive("ignore-term")).containsExactly(command.pid());
    assertThat(command.isRunning()).isTrue();
    assertThat(command.kill().ending()).isEqualTo(new Ending.Stopped());
    assertThat(command.isRunning()).isFalse();
    assertThat(command.outputTail()).isEqualTo("ready\n");
    assertThat(command.await()).isSameAs(command.kill());
  }

  @Test
  void commandThatObeysIsNotKilled() {
    CommandResult result = startUntilReady("ends-late-on-term").stop(Duration.ofSeconds(10));
    assertThat(result.ending()).isEqualTo(new Ending.Exited(4));
    assertThat(result.outputTail()).isEqualTo("ready\nsaved\n");
  }

  @Test
  void commandWithoutAHandlerEndsByTheSignal() {
    RunningCommand command = supervisor.start(TestPrograms.marked("stop", hostile, "hang").build());
    assertThat(command.stop(Signal.INT, Duration.ofSeconds(10)).ending())
        .isEqualTo(new Ending.Signalled(Signal.INT));
  }

  @Test
  void childrenOfAStoppedCommandHaveTheGracePeriodToo() {
    CommandResult result = startUntilReady("child-ends-late-on-term").stop(Duration.ofSeconds(10));
    assertThat(result.ending()).isEqualTo(new Ending.Signalled(Signal.TERM));
    assertThat(result.outputTail()).isEqualTo("ready\nsaved\n");
    assertThat(result.leftovers()).isZero();
  }

  @Test
  void commandThatIgnoresTheSignalIsKilledAfterTheGracePeriod() {
    CommandResult result = startUntilReady("ignore-term").stop(Duration.ofMillis(300));
    assertThat(result.ending()).isEqualTo(new Ending.Stopped());
    assertThat(result.wallTime()).isBetween(Duration.ofMillis(300), Duration.ofSeconds(10));
    assertThat(TestPrograms.alive("ignore-term")).isEmpty();
  }

  @Test
  void oneThreadMayWaitWhileAnotherLooksAndKills() {
    RunningCommand command = startUntilReady("ignore-term");
    CompletableFuture<CommandResult> waiting = CompletableFuture.supplyAsync(command::await);
    for (int round = 0; round < 100; round++) {
      assertThat(command.isRunning()).isTrue();
      assertThat(command.outputTail()).isEqualTo("ready\n");
    }
    assertThat(command.kill()).isSameAs(waiting.join());
  }

  @Test
  void anAnswerThatComesTooLateDoesNotDisturbTheNextCommand() {
    for (int round = 0; round < 300; round++) {
      RunningCommand command = supervisor.start(CommandSpec.command("/bin/true").build());
      while (command.isRunning()) {
        assertThat(command.outputTail()).isEmpty();
      }
      CommandResult next = supervisor.run(CommandSpec.command("echo", "next").build());
      assertThat(next.outputTail()).isEqualTo("next\n");
    }
  }

  @Test
  void commandThatWasNotStartedHasNoProcess() {
    RunningCommand command = supervisor.start(CommandSpec.command("/no/such/program").build());
    assertThat(command.pid()).isZero();
    assertThat(command.isRunning()).isFalse();
    assertThat(command.stop(Duration.ZERO).ending()).isInstanceOf(Ending.NotStarted.class);
  }

  @Test
  void supervisorRunsOneCommandAtATimeAndItsCompanionAnother() {
    RunningCommand command = startUntilReady("ignore-term");
    assertThatThrownBy(() -> supervisor.run(CommandSpec.command("true").build()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(supervisor.companion().run(CommandSpec.command("true").build()).isSuccess())
        .isTrue();
    command.kill();
  }
}
