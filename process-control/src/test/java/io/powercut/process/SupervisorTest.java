package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SupervisorTest {
  @Test
  void tellsAnExitCode() {
    try (Supervisor supervisor = Supervisor.start()) {
      CommandResult result =
          supervisor.run(CommandSpec.command("sh", "-c", "echo hello; exit 7").build());
      assertThat(result.ending()).isEqualTo(new Ending.Exited(7));
      assertThat(result.outputTail()).isEqualTo("hello\n");
      System.out.println(result);
      for (int round = 0; round < 5; round++) {
        CommandSpec command = CommandSpec.command("/bin/true").build();
        long start = System.nanoTime();
        for (int i = 0; i < 1000; i++) {
          assertThat(supervisor.run(command).isSuccess()).isTrue();
        }
        System.out.println((System.nanoTime() - start) / 1000_000 + " us");
      }
    }
  }
}
