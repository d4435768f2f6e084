// SPDX-License-Identifier: Apache-2.0
package io.powercut.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.process.CommandResult;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.PowercutHome;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The program that gives a command the same process numbers every time. */
class ProcessIdsTest {
  private static CommandResult run(String shell, Duration limit) {
    String program = PowercutHome.find().resolve("recorder/target/native/powercut-pids").toString();
    try (Supervisor supervisor = Supervisor.start()) {
      return supervisor.run(
          CommandSpec.command(program, "sh", "-c", shell).timeLimit(limit).build());
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
