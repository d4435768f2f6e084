// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.PowercutHome;
import io.powercut.process.RunningCommand;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that gives a command the same process numbers every time. */
class ProcessIdsTest {
  private static final String PROGRAM =
      PowercutHome.find().resolve("recorder/target/native/powercut-pids").toString();

  private static CommandResult run(String shell, Duration limit) {
    try (Supervisor supervisor = Supervisor.start()) {
      return supervisor.run(
          CommandSpec.command(PROGRAM, "sh", "-c", shell).timeLimit(limit).build());
    }
  }

  private static CommandResult run(String shell) {
    return run(shell, Duration.ofSeconds(20));
  }

  @Test
  void numbersShouldBeTheSameInEveryExecution() {
    String first = run("echo $$; sh -c 'echo $$; :'; cat /proc/$$/comm").outputTail();

    assertThat(first.lines()).hasSize(3).last().isEqualTo("sh");
    assertThat(run("echo $$; sh -c 'echo $$; :'; cat /proc/$$/comm").outputTail()).isEqualTo(first);
  }

  @Test
  void endShouldBeThatOfTheCommand() {
    assertThat(run("exit 7").ending()).isEqualTo(new Ending.Exited(7));
    assertThat(run("kill -SEGV $$").ending()).isEqualTo(new Ending.Signalled(new Signal(11)));
    assertThat(run("kill -KILL $$").ending()).isEqualTo(new Ending.Signalled(Signal.KILL));
  }

  /** A server's client may have to send it a signal, for example. */
  @Test
  void commandShouldBeAbleToJoinAnother(@TempDir Path folder) throws Exception {
    Path where = folder.resolve("where");
    Path number = folder.resolve("number");
    try (Supervisor supervisor = Supervisor.start()) {
      RunningCommand server =
          supervisor.start(
              CommandSpec.command(
                      PROGRAM,
                      "--as=" + where,
                      "sh",
                      "-c",
                      "trap 'exit 6' USR1; echo $$ > $0.new; mv $0.new $0; while :; do sleep 0.05; done",
                      number.toString())
                  .timeLimit(Duration.ofSeconds(20))
                  .build());
      Awaitility.await().until(() -> Files.exists(number));

      CommandResult client =
          supervisor
              .companion()
              .run(
                  CommandSpec.command(
                          PROGRAM,
                          "--with=" + where,
                          "sh",
                          "-c",
                          "pwd; cat /proc/$(cat $0)/comm && kill -USR1 $(cat $0); exit 5",
                          number.toString())
                      .workingDirectory(folder)
                      .timeLimit(Duration.ofSeconds(20))
                      .build());

      assertThat(client.outputTail()).isEqualTo(folder.toRealPath() + "\nsh\n");
      assertThat(client.ending()).isEqualTo(new Ending.Exited(5));
      assertThat(server.await().ending()).isEqualTo(new Ending.Exited(6));
    }
  }

  @Test
  void commandWithNothingToJoinShouldRunAsItIs(@TempDir Path folder) {
    try (Supervisor supervisor = Supervisor.start()) {
      CommandResult result =
          supervisor.run(
              CommandSpec.command(PROGRAM, "--with=" + folder.resolve("none"), "sh", "-c", "exit 5")
                  .build());

      assertThat(result.ending()).isEqualTo(new Ending.Exited(5));
    }
  }

  /** As a server is, which may leave others that need a moment longer. */
  @Test
  void signalThatStopsShouldReachTheCommandsGroup(@TempDir Path folder) throws Exception {
    Path ready = folder.resolve("ready");
    String script =
        "sh -c 'trap \"sleep 0.3; echo late\" TERM; : > $0; sleep 20 & wait' $0 & "
            + "trap 'echo asked; exit 7' TERM; wait";
    try (Supervisor supervisor = Supervisor.start()) {
      RunningCommand server =
          supervisor.start(
              CommandSpec.command(PROGRAM, "sh", "-c", script, ready.toString())
                  .timeLimit(Duration.ofSeconds(20))
                  .build());
      Awaitility.await().until(() -> Files.exists(ready));

      CommandResult result = server.stop(Signal.TERM, Duration.ofSeconds(10));

      assertThat(result.ending()).isEqualTo(new Ending.Exited(7));
      assertThat(result.outputTail().lines()).containsExactlyInAnyOrder("asked", "late");
    }
  }

  @Test
  void nothingShouldBeLeftOfACommandThatIsKilled() {
    String marker = "4711" + ProcessHandle.current().pid();

    CommandResult result =
        run("setsid sleep " + marker + " & exec sleep " + marker, Duration.ofMillis(500));

    assertThat(result.ending()).isInstanceOf(Ending.TimedOut.class);
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      assertThat(processes.map(process -> process.info().commandLine().orElse("")))
          .noneMatch(line -> line.contains(marker));
    }
  }
}
